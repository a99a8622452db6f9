import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';

const BLOCK = 1_000;

/** Additional CTE for the statement that inserts rows `r`: stores their addresses, a thousand per block. */
export const ADDRESS_BLOCKS = `, blocks as (
         insert into delivery_address_blocks (history_id, first_position, count, addresses)
         select r.history_id, min(r.position), count(*), string_agg(case when r.masked then '' else lower(r.email) end, E'\\n' order by r.position)
         from r group by r.history_id, (r.position - 1) / ${BLOCK})`;

/** Finds deliveries of a send by address. Masked addresses are not searched; see decisions.md: network-addresses. */
@Injectable()
export class DeliveryAddresses {
  constructor(private readonly em: EntityManager) {}

  /** Whether the blocks hold all addresses of a send. Otherwise, its rows have to be searched. */
  async cover(sendId: string): Promise<boolean> {
    const [found] = await rows<{ isWhole: boolean }>(
      this.em,
      `select (select sum(b.count) from delivery_address_blocks b where b.history_id = h.id) = coalesce(l.laid_out, h.recipient_count) as "isWhole"
       from email_history h left join send_layouts l on l.history_id = h.id where h.id = ?`,
      [sendId],
    );
    return found?.isWhole ?? false;
  }

  /**
   * FROM clause of the matches after a position. Columns: `place`, and for sorting `b.first_position` and `a.line`.
   * Sorted by these, the rows arrive block by block, so that the query stops as soon as a page is full.
   */
  places(sendId: string, search: string, after: number): SqlPart {
    return {
      sql: `delivery_address_blocks b cross join lateral (
              select b.first_position + t.line::int - 1 as place, t.line from string_to_table(b.addresses, E'\\n') with ordinality t(address, line)
              where strpos(t.address, lower(?)) > 0 and b.first_position + t.line - 1 > ?) a
            where b.history_id = ? and b.first_position + b.count > ? and strpos(b.addresses, lower(?)) > 0`,
      params: [search, after, sendId, after, search],
    };
  }
}
