import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../../shared/http/index.js';
import type { ImportDto, RejectedRowDto } from './import.dto.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import type { ImportFailure, ImportStatus } from '../../entities/contact-import.values.js';
import { ListAccess } from '../../my-lists/list-access.service.js';
import { importNotFound } from '../../lists.errors.js';

const SHOWN_ROWS = 100;
const ROWS_PER_CHUNK = 5000;

const FAILURES: Record<Exclude<ImportFailure, 'file'>, string> = {
  no_addresses:
    'This does not look like a list of email addresses: fewer than a tenth of its first 5,000 lines hold one. Nothing was imported. Please check the file and its columns.',
  fault:
    'The import stopped because of a fault on our side. What had gone in by then is on the list; importing the file again adds the rest.',
};

const UNREADABLE = 'The file could not be read. Please save it as .xlsx or CSV, and try again.';

/** Why an import failed, as text for the user. @returns null unless the import failed */
export function failureText({ failure, fileInfo }: Pick<ContactImport, 'failure' | 'fileInfo'>): string | null {
  if (!failure) return null;
  return failure === 'file' ? (fileInfo.message ?? UNREADABLE) : FAILURES[failure];
}

/** Maps the status of an import to the four states that the API of direct imports shows. */
export function directStatus(status: ImportStatus): 'queued' | 'running' | 'done' | 'failed' {
  if (status === 'uploading' || status === 'queued') return 'queued';
  if (status === 'done' || status === 'undone' || status === 'discarded') return 'done';
  return status === 'failed' ? 'failed' : 'running';
}

/** Shows the progress and the rejected lines of direct imports. */
@Injectable()
export class DirectImportView {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
  ) {}

  async one(user: RequestUser, listId: string, importId: string): Promise<ImportDto> {
    const job = await this.find(user, listId, importId);
    const { id, added, skipped } = job;
    return {
      id,
      status: directStatus(job.status),
      total: linesOf(job),
      added,
      skipped,
      message: failureText(job),
      rows: await this.part(id, 0, SHOWN_ROWS),
    };
  }

  /** Streams all stored rejected lines of an import, read page by page. */
  async rejected(user: RequestUser, listId: string, importId: string): Promise<AsyncIterable<(string | number)[]>> {
    const { id, rejectsUnlisted } = await this.find(user, listId, importId);
    const part = (after: number) => this.part(id, after, ROWS_PER_CHUNK);
    return (async function* () {
      for (
        let found = await part(0);
        found.length > 0;
        found = found.length < ROWS_PER_CHUNK ? [] : await part(found.at(-1)!.line)
      ) {
        for (const { line, email, reason } of found) yield [line, email, reason];
      }
      if (rejectsUnlisted > 0)
        yield ['', '', `${rejectsUnlisted} more lines did not go in; only the first ones are listed`];
    })();
  }

  private async find(user: RequestUser, listId: string, importId: string): Promise<ContactImport> {
    const list = await this.access.require(user, listId);
    const job = await this.em.findOne(ContactImport, { id: importId, emailListId: list.id });
    if (!job) throw importNotFound();
    return job;
  }

  private part(importId: string, after: number, limit: number): Promise<RejectedRowDto[]> {
    return rows<RejectedRowDto>(
      this.em,
      'select line, email, reason from contact_import_rejects where import_id = ? and line > ? order by line limit ?',
      [importId, after, limit],
    );
  }
}

/** Number of lines in the file. While the file is read, this is an estimate from the file's size. */
export function linesOf({
  status,
  stage,
  total,
  lines,
  bytesDone,
  bytesTotal,
}: Pick<ContactImport, 'status' | 'stage' | 'total' | 'lines' | 'bytesDone' | 'bytesTotal'>): number {
  if (status === 'done' || status === 'failed' || status === 'undone') return total;
  if (stage !== 'read' || bytesDone === 0) return Math.max(total, lines);
  return Math.max(lines, Math.round((lines / bytesDone) * bytesTotal));
}
