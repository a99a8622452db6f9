import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { AppError } from '../errors/app-error.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';

const START_LIMIT_MS = 1000;
/** An instance that counts for itself allows a part only: the others do the same. */
const ALONE = 2;

/** Counts requests over all instances in Redis; while Redis is away each instance counts for itself, more strictly. */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimits.name);
  private readonly limiters = new Map<LimitName, RateLimiterRedis>();
  private redis?: Redis;

  constructor(private readonly settings: Settings) {}

  /** Connected before the first request, so that none is counted by this instance alone; a Redis that is away stops no start. */
  async onModuleInit(): Promise<void> {
    if (!this.settings.rateLimits || !this.settings.runsWeb) return;
    await once(this.connection(), 'ready', { signal: AbortSignal.timeout(START_LIMIT_MS) }).catch(() => undefined);
  }

  /** Counts one; throws 429 `rate_limited` with Retry-After when the limit is used up. */
  async consume(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    try {
      await this.limiter(name).consume(key);
    } catch (error) {
      if (error instanceof RateLimiterRes) throw tooMany(error.msBeforeNext);
      throw error;
    }
  }

  /** Forgets what was counted: a right password clears the wrong ones before it. */
  async reset(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    await this.limiter(name).delete(key).catch(() => undefined);
  }

  /** Not before: requests under way are still counted. */
  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  private limiter(name: LimitName): RateLimiterRedis {
    const known = this.limiters.get(name);
    if (known) return known;
    const { points, duration } = LIMITS[name];
    const keyPrefix = `${this.settings.redisPrefix}:limit:${name}`;
    const made = new RateLimiterRedis({
      storeClient: this.connection(), keyPrefix, points, duration, rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.ceil(points / ALONE), duration }),
    });
    this.limiters.set(name, made);
    return made;
  }

  /** Made on first use; a command that cannot be sent at once fails, and the insurance counts. */
  private connection(): Redis {
    this.redis ??= new Redis(this.settings.redisUrl, {
      enableOfflineQueue: false, maxRetriesPerRequest: 1, commandTimeout: 500, connectTimeout: 1000,
      retryStrategy: (tries) => Math.min(tries * 200, 5000),
    }).on('error', (error) => this.logger.debug(`Redis: ${error.message}`));
    return this.redis;
  }
}

/** 429 with the seconds to wait. */
export function tooMany(ms: number): AppError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new AppError('rate_limited', 429, 'Too many requests. Please try again later.', { headers: { 'Retry-After': String(seconds) } });
}
