import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { SqlPart } from '../lists/index.js';

const BLOCK = 1_000;

/** Further part of the statement that lays rows `r` out: their addresses, a block to a thousand. */
export const ADDRESS_BLOCKS = `, blocks as (
         insert into delivery_address_blocks (history_id, first_position, count, addresses)
         select r.history_id, min(r.position), count(*), string_agg(case when r.masked then '' else lower(r.email) end, E'\\n' order by r.position)
         from r group by r.history_id, (r.position - 1) / ${BLOCK})`;

/** Which deliveries of a send an address search finds; masked addresses are not searched (decisions.md D21). */
@Injectable()
export class DeliveryAddresses {
  constructor(private readonly em: EntityManager) {}

  /** Whether the blocks hold all that stands of a send; where they do not, its rows have to be searched. */
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
   * Found places after a position, for a FROM: columns `place` and, to sort by, `b.first_position` and `a.line`. Read in this order
   * they come block by block, so that a page stops where it is full.
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
