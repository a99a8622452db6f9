import { join } from 'node:path';
import { STATE_DIR } from '../../scripts/lib/paths.mjs';
import { startMailbox } from './mailbox.ts';
import { startPostgres, type Service } from './postgres.ts';
import { startRedis } from './redis.ts';
import { keepAlive } from './restarts.ts';
import type { Run } from './run.ts';
import type { PartName, Settings } from './settings.ts';
import { startStripe, type StripeEnv } from './stripe.ts';

/** The addresses that the app gets, embedded or given. */
export interface Addresses { databaseUrl?: string | undefined; redisUrl?: string | undefined; smtpUrl?: string | undefined; stripe?: StripeEnv | undefined }

/** Where a fetched Redis is kept: with the data, or where a test run put it. */
export const redisCaches = (dataDir?: string) => [...(dataDir ? [join(dataDir, 'cache')] : []), STATE_DIR];

/** Starts the embedded parts that no setting replaces, all at once. */
export async function startServices(run: Run, settings: Settings, say: (text: string) => void): Promise<Addresses> {
  const { dataDir, mailboxPort, given, port, appUrl } = settings;
  let stripe: StripeEnv | undefined;
  const starters: Record<PartName, () => Promise<Service>> = {
    postgres: () => startPostgres(run.around, { home: join(dataDir, 'postgres') }),
    redis: () => startRedis(run.around, { home: join(dataDir, 'redis'), cacheDirs: redisCaches(dataDir), say }),
    mailbox: () => startMailbox(run.around, { home: join(dataDir, 'mailbox'), port: mailboxPort, appHost: URL.canParse(appUrl) ? new URL(appUrl).hostname : '' }),
    stripe: async () => {
      const service = await startStripe(run.around, { home: join(dataDir, 'stripe'), appUrl, port });
      stripe = service.env;
      return service;
    },
  };
  const urls = { ...given };
  await Promise.all(settings.embedded.map(async (part) => {
    const service = await starters[part]();
    if (service.again) keepAlive(run, service, say);
    else run.guard(service.part);
    urls[part] = service.url;
  }));
  return { databaseUrl: urls.postgres, redisUrl: urls.redis, smtpUrl: urls.mailbox, stripe };
}

/** Starts a throw-away PostgreSQL and Redis for tests in a folder of their own; `measured`: one that writes as safely as the product's, and counts its statements. */
export async function startThrowaway(run: Run, home: string, say: (text: string) => void, measured = false): Promise<{ databaseUrl: string; redisUrl: string }> {
  const [postgres, redis] = await Promise.all([
    startPostgres(run.around, { home: join(home, 'postgres'), throwaway: !measured, ...(measured && { settings: { shared_preload_libraries: 'pg_stat_statements' } }) }),
    startRedis(run.around, { home: join(home, 'redis'), cacheDirs: redisCaches(), throwaway: true, say }),
  ]);
  run.guard(postgres.part);
  run.guard(redis.part);
  return { databaseUrl: postgres.url, redisUrl: redis.url };
}
