import { getQueueToken } from '@nestjs/bull';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import type { Queue } from 'bull';
import { setTimeout as pause } from 'node:timers/promises';
import { type JobPayloads, type QueueName, QUEUE_NAMES } from './job-handler.js';

const ADD_LIMIT_MS = 2000;
const HINT_INTERVAL_MS = 100;

/** The only class that adds jobs. A job is only a hint: if it is lost, the sweeper of its module finds the work. */
@Injectable()
export class JobQueue implements OnApplicationBootstrap {
  private readonly log = new Logger(JobQueue.name);

  constructor(private readonly modules: ModuleRef) {}

  /** Adds listeners, because an `error` event without a listener would end the process. Bull reconnects by itself. */
  onApplicationBootstrap(): void {
    for (const name of QUEUE_NAMES)
      this.queue(name).on('error', (error) => this.log.warn(`queue ${name}: ${error.message}`));
  }

  /**
   * Adds a job. Never throws and waits at most 2 s, even if Redis does not answer. Does nothing if a job with the same
   * jobId is waiting or running.
   */
  async enqueue<Q extends QueueName>(
    name: Q,
    payload: JobPayloads[Q],
    options: { jobId?: string; delayMs?: number } = {},
  ): Promise<void> {
    await this.within(name, this.queue(name).add(payload, this.jobOptions(options)));
  }

  /**
   * Signals that a queue with only one kind of job has work; adds at most ten jobs a second. The job runs at the end of
   * its window of 100 ms, so it covers every signal within the window.
   */
  async kick(name: 'opt-in' | 'system-mail' | 'tests'): Promise<void> {
    const now = Date.now();
    const slot = Math.floor(now / HINT_INTERVAL_MS);
    await this.enqueue(name, {}, { jobId: `kick:${slot}`, delayMs: (slot + 1) * HINT_INTERVAL_MS - now });
  }

  async enqueueAll<Q extends QueueName>(
    name: Q,
    jobs: { payload: JobPayloads[Q]; jobId?: string; delayMs?: number }[],
  ): Promise<void> {
    if (jobs.length === 0) return;
    await this.within(
      name,
      this.queue(name).addBulk(jobs.map((job) => ({ data: job.payload, opts: this.jobOptions(job) }))),
    );
  }

  /** Number of waiting jobs; 0 if Redis does not answer. */
  async waiting(name: QueueName): Promise<number> {
    const late = pause(ADD_LIMIT_MS, 0, { ref: false });
    return Promise.race([
      this.queue(name)
        .getWaitingCount()
        .catch(() => 0),
      late,
    ]);
  }

  queue(name: QueueName): Queue {
    return this.modules.get<Queue>(getQueueToken(name), { strict: false });
  }

  private jobOptions({ jobId, delayMs }: { jobId?: string; delayMs?: number }) {
    return { jobId, delay: delayMs, attempts: 1, removeOnComplete: true, removeOnFail: true };
  }

  private async within(name: QueueName, adding: Promise<unknown>): Promise<void> {
    const timer = new AbortController();
    try {
      const late = pause(ADD_LIMIT_MS, 'late', { signal: timer.signal, ref: false }).catch(() => 'late');
      const first = await Promise.race([adding.then(() => 'added'), late]);
      if (first === 'late') this.log.warn(`queue ${name} does not answer; the sweeper will find the work`);
    } catch (error) {
      this.log.warn(`queue ${name} took no job: ${(error as Error).message}`);
    } finally {
      timer.abort();
      adding.catch(() => undefined);
    }
  }
}
