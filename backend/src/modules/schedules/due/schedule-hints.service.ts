import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { ScheduleClock, ScheduleTuning } from './schedule-clock.js';

/** Ms by which a job runs after the due time, because a job that runs too early finds nothing due. */
const JOB_DELAY_MS = 30;

/**
 * Enqueues a hint for each send that is due soon, with the remaining time as Bull's delay. The sweep finds sends whose
 * hint was lost.
 */
@Injectable()
export class ScheduleHints {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly clock: ScheduleClock,
    private readonly tuning: ScheduleTuning,
  ) {}

  /** Enqueues a hint for one send if it is due before the next sweep. */
  soon(id: string): Promise<void> {
    return this.hint(`and id = ?`, [id]);
  }

  /** Enqueues hints for all sends that are due before the sweep after the next one. */
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
