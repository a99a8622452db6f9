import { setTimeout as pause } from 'node:timers/promises';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import type { Settings } from '../../shared/config/settings.js';
import type { JobQueue } from '../../shared/jobs/job-queue.js';

/** So many a second over all workers together, counted in Redis; without Redis a quarter of it, by this process alone. */
export class SharedRate {
  private readonly limiter: RateLimiterRedis;

  constructor(settings: Settings, jobs: JobQueue, name: string, points: number) {
    const keyPrefix = `${settings.redisPrefix}:${name}`;
    this.limiter = new RateLimiterRedis({
      storeClient: jobs.queue('deliveries').client, rejectIfRedisNotReady: true, keyPrefix, points, duration: 1,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.max(1, Math.floor(points / 4)), duration: 1 }),
    });
  }

  /** Waits for a turn. */
  async take(key: string): Promise<void> {
    for (let wait = await this.refusal(key); wait > 0; wait = await this.refusal(key)) await pause(Math.max(10, wait));
  }

  /** Takes a turn where one is free. */
  async takeFree(key: string): Promise<boolean> {
    return (await this.refusal(key)) === 0;
  }

  /** @returns milliseconds until there may be a turn; 0: taken */
  private async refusal(key: string): Promise<number> {
    try {
      await this.limiter.consume(key);
      return 0;
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      return Math.max(1, refused.msBeforeNext);
    }
  }
}
