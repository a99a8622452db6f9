import { Injectable } from '@nestjs/common';
import type { RequestUser } from '../../shared/http/index.js';
import type { ImportDto } from './dto/import.dto.js';

@Injectable()
export class ImportReader {
  async one(_u: RequestUser, _id: string, _j: string): Promise<ImportDto> { throw new Error('to come'); }
  async rejected(_u: RequestUser, _id: string, _j: string): Promise<AsyncIterable<(string | number)[]>> { throw new Error('to come'); }
}
