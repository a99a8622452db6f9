import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../shared/config/settings.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';

/** SEND_RATE: messages a second over all workers together, counted in Redis; without Redis a low rate of this process alone. */
@Injectable()
export class SendRate {
  private readonly limiter?: RateLimiterRedis;

  constructor(settings: Settings, jobs: JobQueue) {
    if (settings.sendRate <= 0) return;
    const keyPrefix = `${settings.redisPrefix}:send-rate`;
    this.limiter = new RateLimiterRedis({
      storeClient: jobs.queue('deliveries').client,
      rejectIfRedisNotReady: true,
      keyPrefix,
      points: settings.sendRate,
      duration: 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.max(1, Math.floor(settings.sendRate / 4)), duration: 1 }),
    });
  }

  /** Waits until that many messages may go out. */
  async take(messages: number): Promise<void> {
    if (!this.limiter) return;
    for (let taken = 0; taken < messages; taken++) await this.takeOne(this.limiter);
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
