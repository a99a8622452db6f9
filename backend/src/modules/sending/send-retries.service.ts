import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { CONTACT_TYPE_OF_SEND } from '../../shared/words/contact-type.js';
import type { RequestUser } from '../../shared/http/index.js';
import { HistoryBook, SendStops, type Entry } from '../history/index.js';
import { Audience } from '../lists/index.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import type { RetriedDto } from './dto/control.dto.js';
import { sendHasEnded, unknownSend, unverified } from './sending.errors.js';
import { PASSING_FAILURES } from './smtp-verdict.js';

/** Rows `d` that failed for a reason that may have passed; addresses that were refused for good never come back. */
const PASSING = `d.status = 'failed' and d.metadata->>'class' in (${PASSING_FAILURES.map((name) => `'${name}'`).join(', ')})`;
const AT_A_TIME = 1_000;
/** So many are looked at one by one to say how many may be tried again. */
const LOOKED_AT = 2_000;

interface Failed {
  id: string;
  contactId: string;
  position: number;
}

/** Tries those again that failed for a passing reason: the same send, not a new one of the day's limit (decisions.md D11). */
@Injectable()
export class SendRetries {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly stops: SendStops,
    private readonly audience: Audience,
    private readonly tickets: DeliveryTickets,
  ) {}

  /** How many a retry would mail now; of very many all are counted, those who left meanwhile too. */
  async count(send: Entry): Promise<number> {
    const [failed] = await rows<{ n: number }>(this.em, `select count(*)::int as n from email_delivery_logs d where d.history_id = ? and ${PASSING}`, [send.id]);
    if (failed!.n === 0 || failed!.n > LOOKED_AT) return failed!.n;
    let count = 0;
    for await (const page of this.mailable(this.em, send)) count += page.length;
    return count;
  }

  /** Pressed twice, the second finds nobody left to try. */
  async retry(user: RequestUser, id: string): Promise<RetriedDto> {
    if (!user.isVerified) throw unverified();
    const retried = await this.em.fork().transactional((em) => this.requeue(em as EntityManager, user.id, id));
    if (retried > 0) await this.tickets.issue(id);
    return { retried };
  }

  private async requeue(em: EntityManager, userId: string, id: string): Promise<number> {
    await this.stops.hold(em, id);
    const send = await this.book.byId(em, id);
    if (send?.userId !== userId) throw unknownSend();
    if (send.stopped === 'cancelled') throw sendHasEnded(true);
    let retried = 0;
    for await (const page of this.mailable(em, send)) retried += await this.queueAgain(em, page);
    if (retried > 0) await this.stops.reopen(em, id);
    return retried;
  }

  /** A new start: the schedule counts from the first try that fails from now on. */
  private async queueAgain(em: EntityManager, ids: readonly string[]): Promise<number> {
    const queued = await rows(
      em,
      `update email_delivery_logs d
       set status = 'queued', next_attempt_at = null, lease_until = null, transmitting = false, deferrals = 0,
         metadata = d.metadata - 'since' || jsonb_build_object('retries', coalesce((d.metadata->>'retries')::int, 0) + 1)
       where d.id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and ${PASSING} returning 1 as one`,
      [JSON.stringify(ids)],
    );
    return queued.length;
  }

  /** Ids, a page at a time, of those who failed so and may still be mailed. */
  private async *mailable(em: EntityManager, send: Entry): AsyncGenerator<string[]> {
    for (let last = 0; ; ) {
      const found = await rows<Failed>(
        em,
        `select d.id, d.contact_id as "contactId", d.position from email_delivery_logs d where d.history_id = ? and d.position > ? and ${PASSING} order by d.position limit ?`,
        [send.id, last, AT_A_TIME],
      );
      if (found.length > 0) {
        const { mailable } = await this.audience.recheck(found.map(({ contactId }) => contactId), send.userId, CONTACT_TYPE_OF_SEND[send.emailType], em);
        yield found.filter(({ contactId }) => mailable.has(contactId)).map(({ id }) => id);
      }
      if (found.length < AT_A_TIME) return;
      last = found.at(-1)!.position;
    }
  }
}
