import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { ScheduleClock, ScheduleTuning } from './schedule-clock.js';

/** A job that comes too early finds nothing due, so it comes a little late. */
const AFTER_MS = 30;

/** Hints the queue at sends that are due soon, with the rest of the time as Bull's delay. The sweep finds lost ones. */
@Injectable()
export class ScheduleHints {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly clock: ScheduleClock,
    private readonly tuning: ScheduleTuning,
  ) {}

  /** Hints at one send if it is due before the next sweep would. */
  soon(id: string): Promise<void> {
    return this.hint(`and id = ?`, [id]);
  }

  /** Hints at all that are due before the next sweep but one. */
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
        delayMs: Math.max(0, Math.ceil(ms)) + AFTER_MS,
      })),
    );
  }
}
