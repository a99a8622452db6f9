import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import type { ImportDto, RejectedRowDto } from './dto/import.dto.js';
import { ContactImport, type ImportFailure } from './entities/contact-import.entity.js';
import { ListAccess } from './list-access.service.js';
import { importNotFound } from './lists.errors.js';

const SHOWN_ROWS = 100;
const PART = 5000;

const FAILURES: Record<ImportFailure, string> = {
  no_addresses: 'This does not look like a list of email addresses: fewer than a tenth of its first 5,000 lines hold one. Nothing was imported. Please check the file and its columns.',
  fault: 'The import stopped because of a fault on our side. What had gone in by then is on the list; importing the file again adds the rest.',
};

/** Why an import failed, for people; null unless it did. */
export const failureText = (failure: ImportFailure | null | undefined): string | null => (failure ? FAILURES[failure] : null);

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
    return { id, status: job.status === 'uploading' ? 'queued' : job.status, total: linesOf(job), added, skipped, message: failureText(job.failure), rows: await this.part(id, 0, SHOWN_ROWS) };
  }

  /** All lines that did not go in, read in parts. */
  async rejected(user: RequestUser, listId: string, importId: string): Promise<AsyncIterable<(string | number)[]>> {
    const { id, rejectsUnlisted } = await this.find(user, listId, importId);
    const part = (after: number) => this.part(id, after, PART);
    return (async function* () {
      for (let found = await part(0); found.length > 0; found = found.length < PART ? [] : await part(found.at(-1)!.line)) {
        for (const { line, email, reason } of found) yield [line, email, reason];
      }
      if (rejectsUnlisted > 0) yield ['', '', `${rejectsUnlisted} more lines did not go in; only the first ones are listed`];
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
export function linesOf({ status, total, bytesDone, bytesTotal }: Pick<ContactImport, 'status' | 'total' | 'bytesDone' | 'bytesTotal'>): number {
  if (status === 'done' || status === 'failed' || bytesDone === 0) return total;
  return Math.max(total, Math.round((total / bytesDone) * bytesTotal));
}
