import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { ScheduleClock, ScheduleTuning } from './schedule-clock.js';

/** Ms after the due time at which a job runs, because a job that runs too early would find nothing due. */
const JOB_DELAY_MS = 30;

/**
 * Enqueues a job for each send that is due soon, delayed until its due time. A job is only a hint: the sweep finds
 * sends whose job was lost.
 */
@Injectable()
export class ScheduleHints {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly clock: ScheduleClock,
    private readonly tuning: ScheduleTuning,
  ) {}

  /** Enqueues a hint for one send if it is due within `hintMs`. */
  soon(id: string): Promise<void> {
    return this.hint(`and id = ?`, [id]);
  }

  /** Enqueues hints for all sends that become due within `hintMs`. */
  upcoming(): Promise<void> {
    return this.hint(`and due_at > ${this.clock.sql} order by due_at limit 5000`, []);
  }

  private async hint(which: string, params: unknown[]): Promise<void> {
    const due = await rows<{ id: string; version: number; ms: number }>(
      this.em.fork(),
      `select id, version, (extract(epoch from due_at - ${this.clock.sql}) * 1000)::float8 as ms from scheduled_sends
       where state = 'scheduled' and due_at <= ${this.clock.sql} + make_interval(secs => ?) ${which}`,
      [this.tuning.hintMs / 1000, ...params],
    );
    await this.jobs.enqueueAll(
      'schedules',
      due.map(({ id, version, ms }) => ({
        payload: { scheduledId: id },
        jobId: `${id}:${version}`,
        delayMs: Math.max(0, Math.ceil(ms)) + JOB_DELAY_MS,
      })),
    );
  }
}
