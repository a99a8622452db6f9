import { Injectable } from '@nestjs/common';
import type { Page, RequestUser } from '../../shared/http/index.js';
import type { EmailListDto, EmailListQuery, PublicListDto } from './dto/email-list.dto.js';

@Injectable()
export class ListReader {
  async all(_u: RequestUser, _q: EmailListQuery): Promise<AsyncIterable<EmailListDto>> { throw new Error('to come'); }
  async page(_u: RequestUser, _q: EmailListQuery): Promise<Page<EmailListDto>> { throw new Error('to come'); }
  async one(_u: RequestUser, _id: string): Promise<EmailListDto> { throw new Error('to come'); }
  async bySlug(_slug: string): Promise<PublicListDto> { throw new Error('to come'); }
}
