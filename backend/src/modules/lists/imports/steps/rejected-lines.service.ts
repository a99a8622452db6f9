import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../../shared/database/queries/rows.js';
import { ContactImport } from '../../entities/contact-import.entity.js';
import type { RejectReason } from '../../entities/contact-import.values.js';
import { importNotFound } from '../../lists.errors.js';
import { REASON_TEXTS } from '../judging/groups.js';

const LINES_PER_CHUNK = 2_000;

interface RejectedLine {
  line: number;
  email: string;
  reason: RejectReason;
  cells: string[] | null;
}

/** Texts of the reasons of rejected lines. */
const TEXTS: Record<RejectReason, string> = { ...REASON_TEXTS, exists: 'Already on the list' };

/** The lines that an import left out when it was committed, or would leave out according to its check. */
@Injectable()
export class RejectedLines {
  constructor(private readonly em: EntityManager) {}

  /** The lines as a table. @throws 404 */
  async table(userId: string, id: string): Promise<{ header: string[]; lines: AsyncIterable<(string | number)[]> }> {
    const found = await this.em.fork().findOne(ContactImport, { id, userId });
    if (!found) throw importNotFound();
    const columns = found.columns ?? [];
    const header = ['line', 'reason', ...(columns.length > 0 ? columns.map((column) => column.header) : ['email'])];
    const sql = found.status === 'ready' && !found.stage ? STAGED : REJECTED;
    return { header, lines: this.lines(id, sql, header.length, found.rejectsUnlisted) };
  }

  private async *lines(id: string, sql: string, width: number, unlisted: number): AsyncGenerator<(string | number)[]> {
    for (let after = 0; ;) {
      const found = await rows<RejectedLine>(this.em.fork(), sql, [id, after]);
      for (const { line, email, reason, cells } of found)
        yield [line, TEXTS[reason], ...(cells ?? [email]).slice(0, width - 2)];
      if (found.length < LINES_PER_CHUNK) break;
      after = found.at(-1)!.line;
    }
    if (unlisted > 0) yield ['', `${unlisted} more lines were left out; only the first ones are listed`];
  }
}

const REJECTED = `select line, email, reason, cells from contact_import_rejects where import_id = ? and line > ? order by line limit ${LINES_PER_CHUNK}`;
const STAGED = `
  select line, email, coalesce(refused, reason) as reason, cells from contact_import_rows where import_id = ? and line > ? and verdict = 'left_out' order by line limit ${LINES_PER_CHUNK}`;
