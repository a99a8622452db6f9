import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import type { RequestUser } from '../../shared/http/index.js';
import type { ImportStartedDto } from './dto/import.dto.js';

@Injectable()
export class ImportIntake {
  async take(_u: RequestUser, _id: string, _r: Request): Promise<ImportStartedDto> { throw new Error('to come'); }
}
