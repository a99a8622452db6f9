import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../shared/config/settings.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';

/** SEND_RATE: messages a second over all workers together, counted in Redis; without Redis a low rate of this process alone. */
@Injectable()
export class SendRate {
  private made?: RateLimiterRedis;

  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** So that a wait is never much longer than a moment. */
  get largestGroup(): number {
    return this.settings.sendRate > 0 ? Math.max(1, Math.ceil(this.settings.sendRate / 4)) : Infinity;
  }

  /** Waits until that many messages may go out. */
  async take(messages: number): Promise<void> {
    if (this.settings.sendRate <= 0) return;
    for (let taken = 0; taken < messages; taken++) await this.takeOne(this.limiter());
  }

  private limiter(): RateLimiterRedis {
    const points = this.settings.sendRate;
    const keyPrefix = `${this.settings.redisPrefix}:send-rate`;
    return (this.made ??= new RateLimiterRedis({
      storeClient: this.jobs.queue('deliveries').client,
      rejectIfRedisNotReady: true,
      keyPrefix,
      points,
      duration: 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.max(1, Math.floor(points / 4)), duration: 1 }),
    }));
  }

  private async takeOne(limiter: RateLimiterRedis): Promise<void> {
    for (;;) {
      try {
        await limiter.consume('all');
        return;
      } catch (refused) {
        if (!(refused instanceof RateLimiterRes)) throw refused;
        await pause(Math.max(10, refused.msBeforeNext));
      }
    }
  }
}
