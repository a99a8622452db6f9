import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import type { CreateEmailListDto, EmailListDto, UpdateEmailListDto } from './dto/email-list.dto.js';

@Injectable()
export class ListEditor {
  async create(_u: RequestUser, _b: CreateEmailListDto): Promise<EmailListDto> { throw new Error('to come'); }
  async update(_u: RequestUser, _id: string, _b: UpdateEmailListDto): Promise<EmailListDto> { throw new Error('to come'); }
  async remove(_u: RequestUser, _id: string): Promise<void> { throw new Error('to come'); }
}
