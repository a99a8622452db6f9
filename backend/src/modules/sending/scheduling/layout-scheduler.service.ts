import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/rows.js';

/** Decides whose send is laid out next, or has its failed recipients put back, over all workers: that of the account that has waited longest since its last part. */
@Injectable()
export class LayoutScheduler {
  constructor(private readonly em: EntityManager) {}

  /** Of that account the send that is least far. @param except sends that other jobs have in hand @returns undefined where there is nothing else to do */
  async next(except: ReadonlySet<string>): Promise<string | undefined> {
    const [next] = await rows<{ sendId: string }>(this.em.fork(), NEXT, [JSON.stringify([...except])]);
    return next?.sendId;
  }
}

const NEXT = `
  with open as (
    select history_id, laid_out as reached from send_layouts union all select history_id, last_position from send_retries
  ), first as (
    select distinct on (h.user_id) h.user_id, h.id, h.sent_at from open o join email_history h on h.id = o.history_id
    where h.id not in (select value::uuid from jsonb_array_elements_text(?::jsonb))
    order by h.user_id, o.reached, h.sent_at, h.id
  ), next as (
    select f.id, f.user_id from first f left join delivery_shares s on s.user_id = f.user_id order by s.laid_out_at nulls first, f.sent_at, f.id limit 1
  ), served as (
    insert into delivery_shares (user_id, laid_out_at) select user_id, clock_timestamp() from next
    on conflict (user_id) do update set laid_out_at = excluded.laid_out_at, served_at = now()
  )
  select id as "sendId" from next`;
