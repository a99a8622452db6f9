import { Injectable } from '@nestjs/common';
import type { Page, RequestUser } from '../../shared/http/index.js';
import type { ContactDto, ContactQuery } from './dto/contact.dto.js';

@Injectable()
export class ContactReader {
  async all(_u: RequestUser, _id: string, _q: ContactQuery): Promise<AsyncIterable<ContactDto>> { throw new Error('to come'); }
  async page(_u: RequestUser, _id: string, _q: ContactQuery): Promise<Page<ContactDto>> { throw new Error('to come'); }
  async exportOf(_u: RequestUser, _id: string): Promise<{ filename: string; header: string[]; lines: AsyncIterable<(string | null)[]> }> { throw new Error('to come'); }
}
