import { Injectable } from '@nestjs/common';
import type { Client } from '../../shared/http/index.js';
import type { SubscribeDto } from './dto/consent.dto.js';
import type { MessageDto } from './dto/message.dto.js';

@Injectable()
export class PublicSubscribe {
  async subscribe(_b: SubscribeDto, _c: Client): Promise<MessageDto> { throw new Error('to come'); }
}
