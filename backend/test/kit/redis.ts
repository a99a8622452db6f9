import { Redis } from 'ioredis';
import type { TestApp } from './app.js';

/** Removes all keys of the app from Redis at once; keys of tests that run beside it stay. */
export async function emptyRedis({ settings }: TestApp): Promise<void> {
  const redis = new Redis(settings.redisUrl);
  await redis.eval(
    `for _, key in ipairs(redis.call('keys', ARGV[1] .. ':*')) do redis.call('unlink', key) end`,
    0,
    settings.redisPrefix,
  );
  redis.disconnect();
}
