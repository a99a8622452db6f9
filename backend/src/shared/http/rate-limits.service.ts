import { once } from 'node:events';
import { Injectable, Logger, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import { Redis } from 'ioredis';
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { Settings } from '../config/settings.js';
import { AppError } from '../errors/app-error.js';
import { networkOf, wideNetworkOf } from './client-network.js';
import { LIMITS, type LimitName } from './rate-limit.policies.js';

const START_LIMIT_MS = 1000;
/** An instance that counts for itself allows a part only: the others do the same. */
const ALONE = 2;
/** An IPv6 /48 holds 65,536 /64s: all of its clients together are allowed this many times the limit of one. */
const WIDE = 10;

/** Counts requests over all instances in Redis; while Redis is away each instance counts for itself, more strictly. */
@Injectable()
export class RateLimits implements OnModuleInit, OnApplicationShutdown {
  private readonly logger = new Logger(RateLimits.name);
  private readonly limiters = new Map<string, RateLimiterRedis>();
  private redis?: Redis;

  constructor(private readonly settings: Settings) {}

  /** Connected before the first request, so that none is counted by this instance alone; a Redis that is away stops no start. */
  async onModuleInit(): Promise<void> {
    if (!this.settings.rateLimits || !this.settings.runsWeb) return;
    await once(this.connection(), 'ready', { signal: AbortSignal.timeout(START_LIMIT_MS) }).catch(() => undefined);
  }

  /**
   * Counts one.
   * @param refusal the error where the limit is used up, by the milliseconds to wait
   * @throws 429 `rate_limited` with Retry-After
   */
  async consume(name: LimitName, key: string, refusal = tooMany): Promise<void> {
    if (this.settings.rateLimits) await counted(this.limiter(name), key, refusal);
  }

  /** Counts one for the client's network, and for an IPv6 client's /48 at ten times the limit. @param scope what else is in the key, such as an account */
  async consumeByClient(name: LimitName, ip: string, scope = ''): Promise<void> {
    if (!this.settings.rateLimits) return;
    const wide = wideNetworkOf(ip);
    await counted(this.limiter(name), `${scope}ip:${networkOf(ip)}`, tooMany);
    if (wide) await counted(this.limiter(name, WIDE), `${scope}ip:${wide}`, tooMany);
  }

  /** Forgets what was counted: a right password clears the wrong ones before it. */
  async reset(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    await this.limiter(name).delete(key).catch(() => undefined);
  }

  /** Forgets what was counted for a client's network. */
  async resetByClient(name: LimitName, ip: string, scope = ''): Promise<void> {
    if (!this.settings.rateLimits) return;
    const wide = wideNetworkOf(ip);
    await this.reset(name, `${scope}ip:${networkOf(ip)}`);
    if (wide) await this.limiter(name, WIDE).delete(`${scope}ip:${wide}`).catch(() => undefined);
  }

  /** Takes one count back. */
  async giveBack(name: LimitName, key: string): Promise<void> {
    if (!this.settings.rateLimits) return;
    await this.limiter(name).reward(key).catch(() => undefined);
  }

  /** Not before: requests under way are still counted. */
  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }

  /** @param factor how many times the policy's points it allows */
  private limiter(name: LimitName, factor = 1): RateLimiterRedis {
    const id = factor === 1 ? name : `${name}:x${factor}`;
    const known = this.limiters.get(id);
    if (known) return known;
    const { duration } = LIMITS[name];
    const points = LIMITS[name].points * factor;
    const keyPrefix = `${this.settings.redisPrefix}:limit:${id}`;
    const made = new RateLimiterRedis({
      storeClient: this.connection(), keyPrefix, points, duration, rejectIfRedisNotReady: true,
      insuranceLimiter: new RateLimiterMemory({ keyPrefix, points: Math.ceil(points / ALONE), duration }),
    });
    this.limiters.set(id, made);
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

async function counted(limiter: RateLimiterRedis, key: string, refusal: (ms: number) => AppError): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw refusal(error.msBeforeNext);
    throw error;
  }
}

/** 429 with the seconds to wait. */
export function tooMany(ms: number, message = 'Too many requests. Please try again later.'): AppError {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  return new AppError('rate_limited', 429, message, { headers: { 'Retry-After': String(seconds) } });
}
