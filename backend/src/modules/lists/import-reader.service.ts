import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import type { ImportDto, RejectedRowDto } from './dto/import.dto.js';
import { ContactImport } from './entities/contact-import.entity.js';
import { ListAccess } from './list-access.service.js';
import { importNotFound } from './lists.errors.js';

const SHOWN_ROWS = 100;
const PART = 5000;

/** How imports stand, and what did not go in. */
@Injectable()
export class ImportReader {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
  ) {}

  async one(user: RequestUser, listId: string, importId: string): Promise<ImportDto> {
    const job = await this.find(user, listId, importId);
    const { id, added, skipped } = job;
    return { id, status: job.status === 'uploading' ? 'queued' : job.status, total: lineCount(job), added, skipped, rows: await this.part(id, 0, SHOWN_ROWS) };
  }

  /** All lines that did not go in, read in parts. */
  async rejected(user: RequestUser, listId: string, importId: string): Promise<AsyncIterable<(string | number)[]>> {
    const { id } = await this.find(user, listId, importId);
    const part = (after: number) => this.part(id, after, PART);
    return (async function* () {
      for (let found = await part(0); found.length > 0; found = found.length < PART ? [] : await part(found.at(-1)!.line)) {
        for (const { line, email, reason } of found) yield [line, email, reason];
      }
    })();
  }

  private async find(user: RequestUser, listId: string, importId: string): Promise<ContactImport> {
    const list = await this.access.require(user, listId);
    const job = await this.em.findOne(ContactImport, { id: importId, emailListId: list.id });
    if (!job) throw importNotFound();
    return job;
  }

  private part(importId: string, after: number, limit: number): Promise<RejectedRowDto[]> {
    return rows<RejectedRowDto>(this.em, 'select line, email, reason from contact_import_rejects where import_id = ? and line > ? order by line limit ?', [importId, after, limit]);
  }
}

/** Lines of the whole file: counted once it ended, before that estimated from the bytes read so far. */
function lineCount({ status, total, bytesDone, bytesTotal }: ContactImport): number {
  if (status === 'done' || status === 'failed' || bytesDone === 0) return total;
  return Math.max(total, Math.round((total / bytesDone) * bytesTotal));
}
