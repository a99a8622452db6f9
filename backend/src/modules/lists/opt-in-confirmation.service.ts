import { Injectable } from '@nestjs/common';
import type { Client } from '../../shared/http/index.js';
import type { ConfirmedDto } from './dto/consent.dto.js';

@Injectable()
export class OptInConfirmation {
  async confirm(_t: string, _c: Client): Promise<ConfirmedDto> { throw new Error('to come'); }
}
