import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import type { AddContactDto, ContactDto, UpdateContactDto } from './dto/contact.dto.js';
import type { MessageDto } from './dto/message.dto.js';

@Injectable()
export class ContactEditor {
  async add(_u: RequestUser, _id: string, _b: AddContactDto): Promise<ContactDto> { throw new Error('to come'); }
  async update(_u: RequestUser, _id: string, _c: string, _b: UpdateContactDto): Promise<ContactDto> { throw new Error('to come'); }
  async remove(_u: RequestUser, _id: string, _c: string): Promise<void> { throw new Error('to come'); }
  async resend(_u: RequestUser, _id: string, _c: string): Promise<MessageDto> { throw new Error('to come'); }
}
