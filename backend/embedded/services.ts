import { join } from 'node:path';
import { STATE_DIR } from '../../scripts/lib/paths.mjs';
import { startMailbox } from './mailbox/mailbox.ts';
import { startPostgres, type Service } from './postgres/postgres.ts';
import { startRedis } from './redis/redis.ts';
import { restartOnExit } from './processes/restarts.ts';
import type { Run } from './processes/run.ts';
import type { PartName, Settings } from './settings.ts';
import { startStripe, type StripeEnv } from './stripe.ts';

/** URLs of the services that the app uses: of embedded parts, or from the settings. */
export interface Addresses {
  databaseUrl?: string | undefined;
  redisUrl?: string | undefined;
  smtpUrl?: string | undefined;
  stripe?: StripeEnv | undefined;
}

/** Folders of downloaded Redis programs: one in the data folder, and the one that test runs use. */
export const redisCaches = (dataDir?: string) => [...(dataDir ? [join(dataDir, 'cache')] : []), STATE_DIR];

/** Starts, concurrently, the embedded parts that no setting replaces. */
export async function startServices(run: Run, settings: Settings, say: (text: string) => void): Promise<Addresses> {
  const { dataDir, mailboxPort, given, port, appUrl } = settings;
  let stripe: StripeEnv | undefined;
  const starters: Record<PartName, () => Promise<Service>> = {
    postgres: () => startPostgres(run.context, { home: join(dataDir, 'postgres') }),
    redis: () => startRedis(run.context, { home: join(dataDir, 'redis'), cacheDirs: redisCaches(dataDir), say }),
    mailbox: () =>
      startMailbox(run.context, {
        home: join(dataDir, 'mailbox'),
        port: mailboxPort,
        appHost: URL.canParse(appUrl) ? new URL(appUrl).hostname : '',
      }),
    stripe: async () => {
      const service = await startStripe(run.context, { home: join(dataDir, 'stripe'), appUrl, port });
      stripe = service.env;
      return service;
    },
  };
  const urls = { ...given };
  await Promise.all(
    settings.embedded.map(async (part) => {
      const service = await starters[part]();
      if (service.restart) restartOnExit(run, service, say);
      else run.guard(service.part);
      urls[part] = service.url;
    }),
  );
  return { databaseUrl: urls.postgres, redisUrl: urls.redis, smtpUrl: urls.mailbox, stripe };
}

/**
 * Starts a throw-away PostgreSQL and Redis for tests, in a folder of their own.
 * @param measured true for benchmarks: PostgreSQL then syncs to disk like the product's and counts statements
 */
export async function startThrowaway(
  run: Run,
  home: string,
  say: (text: string) => void,
  measured = false,
): Promise<{ databaseUrl: string; redisUrl: string }> {
  const [postgres, redis] = await Promise.all([
    startPostgres(run.context, {
      home: join(home, 'postgres'),
      throwaway: !measured,
      ...(measured && { settings: { shared_preload_libraries: 'pg_stat_statements' } }),
    }),
    startRedis(run.context, { home: join(home, 'redis'), cacheDirs: redisCaches(), throwaway: true, say }),
  ]);
  run.guard(postgres.part);
  run.guard(redis.part);
  return { databaseUrl: postgres.url, redisUrl: redis.url };
}
