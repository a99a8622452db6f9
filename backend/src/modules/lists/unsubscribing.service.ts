import { Injectable } from '@nestjs/common';
import type { Client } from '../../shared/http/index.js';
import type { UnsubscribedDto } from './dto/consent.dto.js';

@Injectable()
export class Unsubscribing {
  async leave(_t: string, _h: 'page' | 'one-click', _c: Client): Promise<UnsubscribedDto> { throw new Error('to come'); }
  async leaveEverything(_t: string, _c: Client): Promise<UnsubscribedDto> { throw new Error('to come'); }
  async undo(_t: string, _c: Client): Promise<UnsubscribedDto> { throw new Error('to come'); }
}
