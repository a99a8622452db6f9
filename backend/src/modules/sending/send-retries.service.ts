import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import { CONTACT_TYPE_OF_SEND } from '../../shared/words/contact-type.js';
import type { RequestUser } from '../../shared/http/index.js';
import { HistoryBook, SendStops, type Entry } from '../history/index.js';
import { Audience, type SqlPart } from '../lists/index.js';
import { DeliveryTickets } from './delivery-tickets.service.js';
import type { RetriedDto } from './dto/control.dto.js';
import { IN_ORDER } from './send-layouts.service.js';
import { sendHasEnded, unknownSend, unverified } from './sending.errors.js';
import { PASSING_FAILURES } from './smtp-verdict.js';

/** Rows `d` that failed for a reason that may have passed; addresses that were refused for good never come back. */
const PASSING = `d.status = 'failed' and d.metadata->>'class' in (${PASSING_FAILURES.map((name) => `'${name}'`).join(', ')})`;
const AT_A_TIME = 1_000;
/** So many are looked at one by one to say how many may be tried again. */
const LOOKED_AT = 2_000;

type Open = { lastPosition: number; isCancelled: boolean } & Pick<Entry, 'userId' | 'emailType'>;

/**
 * Tries those again that failed for a passing reason: the same send, not a new one of the day's limit (decisions.md D11). Pressing the button
 * only writes that it is to be done; each chunk and the mark of how far it went are one commit, so a crash only delays the next.
 */
@Injectable()
export class SendRetries {
  constructor(
    private readonly em: EntityManager,
    private readonly book: HistoryBook,
    private readonly stops: SendStops,
    private readonly audience: Audience,
    private readonly tickets: DeliveryTickets,
    private readonly jobs: JobQueue,
  ) {}

  /** How many a retry would mail now, none while one is under way; of very many all are counted, those who left meanwhile too. */
  async count(send: Entry, em: EntityManager = this.em): Promise<number> {
    const of = async ({ sql, params }: SqlPart): Promise<number> => (await rows<{ n: number }>(
      em,
      `select count(*)::int as n from email_delivery_logs d
       where d.history_id = ? and ${PASSING} and not exists (select 1 from send_retries where history_id = ?)${sql}`,
      [send.id, send.id, ...params],
    ))[0]!.n;
    const failed = await of({ sql: '', params: [] });
    return failed === 0 || failed > LOOKED_AT ? failed : of(this.mailable(send));
  }

  /** Pressed twice, the second finds nobody left to try. The answer waits for the first chunk; a worker does the others. */
  async retry(user: RequestUser, id: string): Promise<RetriedDto> {
    if (!user.isVerified) throw unverified();
    await this.own(this.em, user.id, id);
    const retried = await this.em.fork().transactional((em) => this.begin(em as EntityManager, user.id, id));
    if (retried === 0) return { retried };
    const state = await this.requeueNext(id);
    if (state !== 'done') await this.jobs.enqueue('layouts', { sendId: id }, { jobId: `${id}:retry` });
    if (!(await this.tickets.issue(id))) await this.tickets.wake(id);
    return { retried };
  }

  /** Puts the next chunk back. @returns done: all were looked at; busy: another is at it; more: there is another chunk */
  async requeueNext(sendId: string): Promise<'done' | 'busy' | 'more'> {
    return this.em.fork().transactional(async (em) => {
      const manager = em as EntityManager;
      const [retry] = await rows<Open>(
        manager,
        `select r.last_position as "lastPosition", h.user_id as "userId", h.email_type as "emailType", h.cancelled_at is not null as "isCancelled", ${IN_ORDER}
         from send_retries r join email_history h on h.id = r.history_id where r.history_id = ? for update of r skip locked`,
        [sendId],
      );
      if (!retry) return (await this.isOpen(sendId)) ? 'busy' : 'done';
      if (!retry.isCancelled && (await this.requeue(manager, sendId, retry)) === AT_A_TIME) return 'more';
      await this.drop(manager, sendId);
      return 'done';
    });
  }

  /** Leaves those as they are who were not put back yet. */
  async drop(em: EntityManager, sendId: string): Promise<void> {
    await changed(em, `delete from send_retries where history_id = ?`, [sendId]);
  }

  /** Sends with some who were not looked at yet. */
  async open(): Promise<string[]> {
    return (await rows<{ id: string }>(this.em, `select history_id as id from send_retries order by created_at`)).map(({ id }) => id);
  }

  /** @returns how many it is for: none where a retry is under way, or has just been */
  private async begin(em: EntityManager, userId: string, id: string): Promise<number> {
    await this.stops.hold(em, id);
    const retried = await this.count(await this.own(em, userId, id), em);
    if (retried === 0 || (await changed(em, `insert into send_retries (history_id) values (?) on conflict do nothing`, [id])) === 0) return 0;
    await this.stops.reopen(em, id);
    return retried;
  }

  /** A new start: the schedule counts from the first try that fails from now on. @returns how many were looked at */
  private async requeue(em: EntityManager, sendId: string, retry: Open): Promise<number> {
    const mailable = this.mailable(retry);
    const [found] = await rows<{ looked: number }>(
      em,
      `with next as materialized (
         select d.id, d.position from email_delivery_logs d where d.history_id = ? and d.position > ? and ${PASSING} order by d.position limit ?
       ), queued as (
         update email_delivery_logs d
         set status = 'queued', next_attempt_at = now(), lease_until = null, transmitting = false, deferrals = 0,
           metadata = d.metadata - 'since' || jsonb_build_object('retries', coalesce((d.metadata->>'retries')::int, 0) + 1)
         from next where d.id = next.id and ${PASSING}${mailable.sql}
       ), went as (
         update send_retries r set last_position = x.last from (select max(position) as last from next) x where r.history_id = ? and x.last is not null
       )
       select count(*)::int as looked from next`,
      [sendId, retry.lastPosition, AT_A_TIME, ...mailable.params, sendId],
    );
    return found!.looked;
  }

  private mailable({ userId, emailType }: Pick<Entry, 'userId' | 'emailType'>): SqlPart {
    const { sql, params } = this.audience.mailableSql('d.contact_id', CONTACT_TYPE_OF_SEND[emailType], userId);
    return { sql: ` and ${sql}`, params };
  }

  private async isOpen(sendId: string): Promise<boolean> {
    return (await rows(this.em.fork(), `select 1 from send_retries where history_id = ?`, [sendId])).length > 0;
  }

  private async own(em: EntityManager, userId: string, id: string): Promise<Entry> {
    const send = await this.book.byId(em, id);
    if (send?.userId !== userId) throw unknownSend();
    if (send.stopped === 'cancelled') throw sendHasEnded(true);
    return send;
  }
}
