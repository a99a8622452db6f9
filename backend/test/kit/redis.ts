import { Redis } from 'ioredis';
import type { TestApp } from './app.js';

/** Removes all Redis keys of the app at once; keys of concurrent tests stay. */
export async function emptyRedis({ settings }: TestApp): Promise<void> {
  const redis = new Redis(settings.redisUrl);
  await redis.eval(
    `for _, key in ipairs(redis.call('keys', ARGV[1] .. ':*')) do redis.call('unlink', key) end`,
    0,
    settings.redisPrefix,
  );
  redis.disconnect();
}
