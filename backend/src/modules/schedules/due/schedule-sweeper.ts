import { setTimeout as pause } from 'node:timers/promises';
import { MikroORM } from '@mikro-orm/core';
import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { type BeforeApplicationShutdown, Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { DueSends } from './due-sends.service.js';
import { DueTimes } from './due-times.service.js';
import { ScheduleTuning } from './schedule-clock.js';
import { ScheduleHints } from './schedule-hints.service.js';

/** Maximum sends per sweep. */
const SENDS_PER_SWEEP = 1_000;
/**
 * A job that runs up to this many ms early waits. A job that is even earlier does nothing, and the sweep sends the
 * email.
 */
const EARLY_MS = 2_000;

/**
 * Finds due emails every few seconds, and enqueues hints for emails that are due soon. Runs on every worker, so that a
 * halted worker delays no email.
 */
@Injectable()
export class ScheduleSweeper implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ScheduleSweeper.name);
  private timer?: NodeJS.Timeout;
  private sweeping?: Promise<void>;
  private isStopping = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly due: DueSends,
    private readonly times: DueTimes,
    private readonly hints: ScheduleHints,
    private readonly tuning: ScheduleTuning,
  ) {}

  /** Uses a timer instead of @Interval, because tests shorten the interval. */
  onApplicationBootstrap(): void {
    this.next(() => this.times.deriveAnew());
    this.timer = setInterval(() => this.next(), this.tuning.sweepMs).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    clearInterval(this.timer);
    await this.sweeping;
  }

  private next(first?: () => Promise<void>): void {
    this.sweeping ??= this.guarded(first).finally(() => (this.sweeping = undefined));
  }

  private async guarded(first?: () => Promise<void>): Promise<void> {
    try {
      await first?.();
      await this.sweep();
    } catch (error) {
      this.log.error({ err: error }, 'the sweep of scheduled sends failed');
    }
  }

  @CreateRequestContext<ScheduleSweeper>((sweeper) => sweeper.orm)
  async sweep(): Promise<void> {
    await this.hints.upcoming();
    const users = await this.due.dueUsers(SENDS_PER_SWEEP);
    const work = users.values();
    await Promise.all(Array.from({ length: this.tuning.concurrency }, () => this.leaveEach(work)));
  }

  private async leaveEach(users: Iterator<string> & Iterable<string>): Promise<void> {
    for (const userId of users) {
      if (this.isStopping) return;
      await this.due.leaveAll(userId);
    }
  }
}

/** Sends a scheduled send when it is due. If the job is lost, the sweep does so instead. */
@JobHandler('schedules', 4)
export class LeaveScheduled implements HandlesJob<'schedules'> {
  constructor(private readonly due: DueSends) {}

  async handle({ scheduledId }: { scheduledId: string }): Promise<void> {
    const found = await this.due.dueIn(scheduledId);
    if (!found || found.ms > EARLY_MS) return;
    if (found.ms > 0) await pause(found.ms + 1);
    await this.due.leaveAll(found.userId);
  }
}
