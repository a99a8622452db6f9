import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../../config/settings.js';
import { AppError } from '../../errors/app-error.js';
import { networkOf, wideNetworkOf } from './client-network.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';

const START_LIMIT_MS = 1000;
/** Divisor of the limits while Redis is down. Each instance then counts only its own requests. */
const LOCAL_DIVISOR = 2;
/** Factor of the limits for all clients of an IPv6 /48 together. A /48 holds 65,536 networks of size /64. */
const WIDE_NETWORK_FACTOR = 10;

/**
 * Counts requests over all instances in Redis. While Redis is down, each instance counts its own requests, with lower
 * limits.
 */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimits.name);
  private readonly limiters = new Map<string, RateLimiterRedis>();
  private redis?: Redis;

  constructor(private readonly settings: Settings) {}

  /** Connects before the first request, so that counting starts in Redis. Start-up succeeds without Redis, too. */
  async onModuleInit(): Promise<void> {
    if (!this.settings.rateLimits || !this.settings.runsWeb) return;
    await once(this.connection(), 'ready', { signal: AbortSignal.timeout(START_LIMIT_MS) }).catch(() => undefined);
  }

  /**
   * Consumes one point.
   * @param refusal builds the error for an exhausted limit; gets the milliseconds until the next point
   * @throws 429 `rate_limited` with Retry-After
   */
  async consume(name: LimitName, key: string, refusal = tooMany): Promise<void> {
    if (this.settings.rateLimits) await counted(this.limiter(name), key, refusal);
  }

  /**
   * Consumes one point for the client's network. For IPv6, also consumes one for its /48, which has ten times the
   * limit.
   * @param scope prefix of the key, such as an account
   */
  async consumeByClient(name: LimitName, ip: string, scope = ''): Promise<void> {
    if (!this.settings.rateLimits) return;
    const wide = wideNetworkOf(ip);
    await counted(this.limiter(name), `${scope}ip:${networkOf(ip)}`, tooMany);
    if (wide) await counted(this.limiter(name, WIDE_NETWORK_FACTOR), `${scope}ip:${wide}`, tooMany);
  }

  /** Resets a counter, such as failed sign-ins after a correct password. */
  async reset(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    await this.limiter(name)
      .delete(key)
      .catch(() => undefined);
  }

  /** Resets the counter of a client's network. */
  async resetByClient(name: LimitName, ip: string, scope = ''): Promise<void> {
    if (!this.settings.rateLimits) return;
    const wide = wideNetworkOf(ip);
    await this.reset(name, `${scope}ip:${networkOf(ip)}`);
    if (wide)
      await this.limiter(name, WIDE_NETWORK_FACTOR)
        .delete(`${scope}ip:${wide}`)
        .catch(() => undefined);
  }

  /** Gives back one consumed point. */
  async giveBack(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    await this.limiter(name)
      .reward(key)
      .catch(() => undefined);
  }

  /** Disconnects in the last shutdown phase, because requests in progress are still counted. */
  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** @param factor number by which the points of the policy are multiplied */
  private limiter(name: LimitName, factor = 1): RateLimiterRedis {
    const id = factor === 1 ? name : `${name}:x${factor}`;
    const known = this.limiters.get(id);
    if (known) return known;
    const { duration } = LIMITS[name];
    const points = LIMITS[name].points * factor;
    const keyPrefix = `${this.settings.redisPrefix}:limit:${id}`;
    const made = new RateLimiterRedis({
      storeClient: this.connection(),
      keyPrefix,
      points,
      duration,
      rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.ceil(points / LOCAL_DIVISOR), duration }),
    });
    this.limiters.set(id, made);
    return made;
  }

  /**
   * Connects at the first call. A command that cannot be sent at once fails, and the in-memory limiter counts instead.
   */
  private connection(): Redis {
    this.redis ??= new Redis(this.settings.redisUrl, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 1,
      commandTimeout: 500,
      connectTimeout: 1000,
      retryStrategy: (tries) => Math.min(tries * 200, 5000),
    }).on('error', (error) => this.logger.debug(`Redis: ${error.message}`));
    return this.redis;
  }
}

async function counted(limiter: RateLimiterRedis, key: string, refusal: (ms: number) => AppError): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw refusal(error.msBeforeNext);
    throw error;
  }
}

/**
 * 429 with Retry-After.
 * @param ms milliseconds to wait
 */
export function tooMany(ms: number, message = 'Too many requests. Please try again later.'): AppError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new AppError('rate_limited', 429, message, { headers: { 'Retry-After': String(seconds) } });
}
