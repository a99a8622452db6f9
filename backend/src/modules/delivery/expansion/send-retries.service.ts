import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { CONTACT_TYPE_OF_SEND } from '../../../shared/enums.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { type SendRecord, SendRecords, SendStates } from '../../history/index.js';
import { Audience } from '../../lists/index.js';
import { AttachmentRegistry, WITHDRAWN } from '../message/attachment.registry.js';
import { DeliveryJobs } from '../scheduling/delivery-jobs.service.js';
import { NO_SORT } from './send-expansions.service.js';
import { attachmentLost, sendHasEnded, unknownSend, unverified } from '../delivery.errors.js';
import { RETRYABLE_FAILURES } from '../../../shared/mail/smtp/smtp-verdict.js';

/**
 * SQL condition on a row `d`: it failed for a reason that may have passed. Addresses that were refused permanently do
 * not match.
 */
const FAILED = `d.status = 'failed' and d.metadata->>'class' in (${RETRYABLE_FAILURES.map((name) => `'${name}'`).join(', ')})`;
/**
 * SQL condition on a row `d`: it was skipped because the file storage had lost an attached file, which may be stored
 * again.
 */
const LOST = `d.status = 'skipped' and d.metadata->>'reason' = '${WITHDRAWN.lost}'`;
/**
 * SQL condition on a row `d`: it can be retried. For sends without attached files it consists of FAILED alone, which
 * has its own index.
 */
const retryable = ({ attached }: { attached: boolean }): string => (attached ? `((${FAILED}) or (${LOST}))` : FAILED);
const DELIVERIES_PER_TRANSACTION = 1_000;
/** Maximum failed rows that are checked individually to count the possible retries. */
const MAX_COUNTED_FAILURES = 2_000;

type Open = { lastPosition: number; isCancelled: boolean } & Pick<SendRecord, 'userId' | 'emailType' | 'attached'>;

/**
 * Retries recipients whose messages failed for a temporary reason, or whose attached files were lost and are stored
 * again. A retry continues the same send and does not count towards the daily limit; see decisions.md:
 * send-counts-once. The request itself is only recorded; each chunk commits with its progress, so that a crash only
 * delays the next chunk.
 */
@Injectable()
export class SendRetries {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly states: SendStates,
    private readonly audience: Audience,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly jobs: JobQueue,
    private readonly attachments: AttachmentRegistry,
  ) {}

  /**
   * Number of recipients that a retry would mail now; 0 while a retry runs, or if attached files are not stored. Above
   * MAX_COUNTED_FAILURES, all failed rows count, even those of people who have unsubscribed meanwhile.
   */
  async count(send: SendRecord): Promise<number> {
    const found = await this.countRows(send, this.em);
    if (found === 0 || !send.attached || send.status === 'pending') return found;
    return (await this.attachments.areStored(send.id).catch(() => false)) ? found : 0;
  }

  private async countRows(send: SendRecord, em: EntityManager): Promise<number> {
    const of = async ({ sql, params }: SqlPart): Promise<number> =>
      (
        await rows<{ n: number }>(
          em,
          `select count(*)::int as n from email_delivery_logs d
       where d.history_id = ? and ${retryable(send)} and not exists (select 1 from send_retries where history_id = ?)${sql}`,
          [send.id, send.id, ...params],
        )
      )[0]!.n;
    const failed = await of({ sql: '', params: [] });
    if (failed > 0 && send.attached && !(await this.attachments.areUnchanged(em, send.id))) return 0;
    return failed === 0 || failed > MAX_COUNTED_FAILURES ? failed : of(this.mailable(send));
  }

  /**
   * Starts a retry; idempotent. Requeues the first chunk before the answer; a worker requeues the others.
   * @throws 410 if an attached file was deleted or replaced meanwhile, or is missing in the file storage
   */
  async retry(user: RequestUser, id: string): Promise<{ retried: number }> {
    if (!user.isVerified) throw unverified();
    const { attached } = await this.own(this.em, user.id, id);
    // Checked before the transaction, which must not wait for the file storage.
    const isStored = !attached || (await this.attachments.areStored(id));
    const retried = await inTransaction(this.em, (em) => this.begin(em, user.id, id, isStored));
    if (retried === 0) return { retried };
    const state = await this.requeueNext(id);
    if (state !== 'done') await this.jobs.enqueue('layouts', { sendId: id }, { jobId: `${id}:retry` });
    if (!(await this.deliveryJobs.announceDue(id))) await this.deliveryJobs.wake(id);
    return { retried };
  }

  /**
   * Requeues the next chunk.
   * @returns done: all rows were checked; busy: another worker requeues them; more: another chunk follows
   */
  async requeueNext(sendId: string): Promise<'done' | 'busy' | 'more'> {
    return inTransaction(this.em, async (em) => {
      const [retry] = await rows<Open>(
        em,
        `select r.last_position as "lastPosition", h.user_id as "userId", h.email_type as "emailType", h.attached, h.cancelled_at is not null as "isCancelled", ${NO_SORT}
         from send_retries r join email_history h on h.id = r.history_id where r.history_id = ? for update of r skip locked`,
        [sendId],
      );
      if (!retry) return (await this.isOpen(sendId)) ? 'busy' : 'done';
      if (!retry.isCancelled && (await this.requeue(em, sendId, retry)) === DELIVERIES_PER_TRANSACTION) return 'more';
      await this.drop(em, sendId);
      return 'done';
    });
  }

  /** Ends the retry. Rows that were not requeued yet stay as they are. */
  async drop(em: EntityManager, sendId: string): Promise<void> {
    await changed(em, `delete from send_retries where history_id = ?`, [sendId]);
  }

  /** Sends whose retry is not finished. */
  async open(): Promise<string[]> {
    return (await rows<{ id: string }>(this.em, `select history_id as id from send_retries order by created_at`)).map(
      ({ id }) => id,
    );
  }

  /** @returns the number of recipients; 0 if a retry is running or has just run */
  private async begin(em: EntityManager, userId: string, id: string, isStored: boolean): Promise<number> {
    await this.states.hold(em, id);
    const send = await this.own(em, userId, id);
    if (send.attached && send.status !== 'pending') {
      await this.attachments.lockUnchanged(em, id);
      if (!isStored) throw attachmentLost();
    }
    const retried = await this.countRows(send, em);
    if (
      retried === 0 ||
      (await changed(em, `insert into send_retries (history_id) values (?) on conflict do nothing`, [id])) === 0
    )
      return 0;
    await this.states.reopen(em, id);
    return retried;
  }

  /** Requeues one chunk. The retry schedule starts again with the next failure. @returns number of rows checked */
  private async requeue(em: EntityManager, sendId: string, retry: Open): Promise<number> {
    const mailable = this.mailable(retry);
    const [found] = await rows<{ checked: number }>(
      em,
      `with next as materialized (
         select d.id, d.position from email_delivery_logs d where d.history_id = ? and d.position > ? and ${retryable(retry)} order by d.position limit ?
       ), queued as (
         update email_delivery_logs d
         set status = 'queued', next_attempt_at = now(), lease_until = null, transmitting = false, deferrals = 0,
           metadata = d.metadata - 'since' || jsonb_build_object('retries', coalesce((d.metadata->>'retries')::int, 0) + 1)
         from next where d.id = next.id and ${retryable(retry)}${mailable.sql}
       ), went as (
         update send_retries r set last_position = x.last from (select max(position) as last from next) x where r.history_id = ? and x.last is not null
       )
       select count(*)::int as checked from next`,
      [sendId, retry.lastPosition, DELIVERIES_PER_TRANSACTION, ...mailable.params, sendId],
    );
    return found!.checked;
  }

  private mailable({ userId, emailType }: Pick<SendRecord, 'userId' | 'emailType'>): SqlPart {
    const { sql, params } = this.audience.mailableSql('d.contact_id', CONTACT_TYPE_OF_SEND[emailType], userId);
    return { sql: ` and ${sql}`, params };
  }

  private async isOpen(sendId: string): Promise<boolean> {
    return (await rows(this.em.fork(), `select 1 from send_retries where history_id = ?`, [sendId])).length > 0;
  }

  private async own(em: EntityManager, userId: string, id: string): Promise<SendRecord> {
    const send = await this.records.byId(em, id);
    if (send?.userId !== userId) throw unknownSend();
    if (send.stopped === 'cancelled') throw sendHasEnded(true);
    return send;
  }
}
