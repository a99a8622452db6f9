import { EntityManager } from '@mikro-orm/postgresql';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { positionOf } from '../../../shared/database/queries/position-cursor.js';
import { Injectable } from '@nestjs/common';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/index.js';
import type { LeftOutReason } from '../../delivery/index.js';
import { mask } from './delivery-log.service.js';
import type { LeftOutDto, LeftOutQuery } from './left-out.dto.js';

/** Names of the reasons in the report. */
export const LEFT_OUT_WORDS: Readonly<Record<LeftOutReason, string>> = {
  doNotSend: 'On your do-not-send list',
  excludedList: 'On a list you left out',
  excludedSegment: 'In a segment you left out',
  excludedHere: 'Left out of this send',
  companyCap: 'Company limit reached',
};
export const LEFT_OUT_COLUMNS = ['Email', 'Reason', 'Detail'] as const;
const PAGE_ROWS = 1_000;

type Row = { position: number; masked: boolean; email: string; reason: LeftOutReason; detail: string };

/** People whom a send left out, for its sender. Masks addresses of the shared network and does not search in them. */
@Injectable()
export class LeftOutReport {
  constructor(private readonly em: EntityManager) {}

  async page(sendId: string, query: LeftOutQuery, limit: number): Promise<Page<LeftOutDto>> {
    const found = await this.read(sendId, query, positionOf(query.cursor), limit + 1);
    const { sql, params } = selection(sendId, query, 0);
    const shown = found.slice(0, limit);
    return {
      rows: shown.map(toDto),
      ...(await countMatches(this.em.fork(), sql, params)),
      next: found.length > limit ? String(shown.at(-1)!.position) : undefined,
    };
  }

  /** The people after the cursor. @throws 400 before the first row if the cursor is not valid */
  all(sendId: string, query: LeftOutQuery): AsyncGenerator<LeftOutDto> {
    return this.from(positionOf(query.cursor), sendId, query);
  }

  private async *from(position: number, sendId: string, query: LeftOutQuery): AsyncGenerator<LeftOutDto> {
    let last = position;
    for (;;) {
      const found = await this.read(sendId, query, last, PAGE_ROWS);
      for (const row of found) yield toDto(row);
      if (found.length < PAGE_ROWS) return;
      last = found.at(-1)!.position;
    }
  }

  /** The same as rows of a CSV file. @throws 400 as `all` does */
  csvRows(sendId: string, query: LeftOutQuery): AsyncGenerator<string[]> {
    return toCsvRows(this.all(sendId, query));
  }

  private read(sendId: string, query: LeftOutQuery, from: number, limit: number): Promise<Row[]> {
    const { sql, params } = selection(sendId, query, from);
    return rows<Row>(
      this.em.fork(),
      `select l.position, l.masked, l.email, l.reason, l.detail from ${sql} order by l.position limit ?`,
      [...params, limit],
    );
  }
}

async function* toCsvRows(people: AsyncIterable<LeftOutDto>): AsyncGenerator<string[]> {
  for await (const { email, reason, detail } of people) yield [email, LEFT_OUT_WORDS[reason], detail];
}

function selection(sendId: string, { search, reason }: LeftOutQuery, from: number): SqlPart {
  const text = (search ?? '').replaceAll('\0', '').trim();
  const { sql, params } = allOf([
    ['l.history_id = ?', sendId],
    ['l.position > ?', from],
    reason && ['l.reason = ?', reason],
    text && ['not l.masked and strpos(lower(l.email), lower(?)) > 0', text],
  ]);
  return { sql: `send_left_out l where ${sql}`, params };
}

const toDto = ({ position, masked, email, reason, detail }: Row): LeftOutDto => ({
  id: String(position),
  email: masked ? mask(email) : email,
  reason,
  detail,
});
