import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { BackgroundThrottle } from './background-throttle.service.js';
import { DeliveryJobs } from '../scheduling/delivery-jobs.service.js';
import { SendExpansions } from './send-expansions.service.js';
import { SendFinalizer } from '../send-finalizer.service.js';
import { SendRetries } from './send-retries.service.js';

/**
 * Chooses the send whose next chunk is expanded or requeued, for all workers together. The account that has waited
 * longest since its last chunk comes first.
 */
@Injectable()
export class ExpansionScheduler {
  constructor(private readonly em: EntityManager) {}

  /**
   * The least advanced send of the account that has waited longest.
   * @param except ids of sends that other jobs work on
   * @returns undefined if no other send needs work
   */
  async next(except: ReadonlySet<string>): Promise<string | undefined> {
    const [next] = await rows<{ sendId: string }>(this.em.fork(), NEXT_EXPANSION, [JSON.stringify([...except])]);
    return next?.sendId;
  }
}

const NEXT_EXPANSION = `
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

/** Ms for which a send is skipped if another job works on the send or the send waits for an earlier one. */
const SKIP_BUSY_MS = 250;

/**
 * Expands large sends or requeues their failed recipients, one chunk at a time. After each chunk, the account that has
 * waited longest is served. Delivery starts before all chunks are inserted.
 */
@JobHandler('layouts', 2)
export class ExpandAudience implements HandlesJob<'layouts'>, BeforeApplicationShutdown {
  private readonly log = new Logger(ExpandAudience.name);
  private stopping = false;

  constructor(
    private readonly expansions: SendExpansions,
    private readonly retries: SendRetries,
    private readonly deliveryJobs: DeliveryJobs,
    private readonly finalizer: SendFinalizer,
    private readonly scheduler: ExpansionScheduler,
    private readonly throttle: BackgroundThrottle,
  ) {}

  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** The job itself only announces work; the scheduler chooses the send in the database. */
  async handle(): Promise<void> {
    const busy = new Map<string, number>();
    let announced: Promise<void> = Promise.resolve();
    while (!this.stopping) {
      for (const [sendId, until] of busy) if (Date.now() > until) busy.delete(sendId);
      const sendId = await this.scheduler.next(new Set(busy.keys()));
      if (!sendId) break;
      let state = await this.expansions.insertNextChunk(sendId);
      if (state === 'done') state = await this.retries.requeueNext(sendId);
      await announced;
      if (state === 'busy') {
        busy.set(sendId, Date.now() + SKIP_BUSY_MS);
        continue;
      }
      // Other sends may have waited for this one, and no further job may come, so they are tried again.
      if (state === 'done') busy.clear();
      // The announcement runs while the next chunk is inserted.
      announced = this.announce(sendId, state === 'done');
      if (state === 'more') await this.throttle.pause();
    }
    await announced;
  }

  /** Announces the inserted rows to the delivery workers, and finalizes a send that has no recipients. */
  private async announce(sendId: string, isDone: boolean): Promise<void> {
    try {
      if (!(await this.deliveryJobs.announceDue(sendId)) && isDone) await this.finalizer.finalizeIfDone(sendId);
    } catch (error) {
      this.log.error(
        { err: error, sendId, code: 'layout_unannounced' },
        'an expanded send could not be announced; the sweeper finds it',
      );
    }
  }
}
