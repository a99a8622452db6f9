import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CliError, say } from '../lib/say.mjs';
import { Run } from '../../backend/embedded/processes/run.ts';
import { startThrowaway } from '../../backend/embedded/services.ts';

/**
 * Runs `work` with a throw-away PostgreSQL and Redis, and stops them afterwards in any case. If both TEST_DATABASE_URL
 * and TEST_REDIS_URL are set, uses those servers instead. `folder` holds the data.
 * @returns what `work` returns
 * @throws {CliError} if a service crashed, or `ended` resolved before the work was done
 */
export async function withServices({ needed, ended, folder = tmpdir() }, work) {
  const home = mkdtempSync(join(folder, 'staffcast-test-'));
  // PostgreSQL started by root may run as another user, who needs access to the folder.
  chmodSync(home, 0o711);
  const run = new Run({ logDir: join(home, 'logs'), pidDir: join(home, 'pids') });
  try {
    const done = everything(run, home, needed, work).then((value) => ({ value }));
    const outcome = await Promise.race([ended, done, run.crashed]);
    if (typeof outcome === 'object') return outcome.value;
    throw new CliError(outcome === 'ended' ? 'Stopped before the end.' : outcome);
  } finally {
    await run.stop();
    rmSync(home, { recursive: true, force: true });
  }
}

async function everything(run, home, needed, work) {
  const given = process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL;
  if (!needed || given) return work(run, process.env);
  say('Starting a throw-away PostgreSQL and Redis …');
  const { databaseUrl, redisUrl } = await startThrowaway(run, home, say, process.env.MEASURED_SERVICES === '1');
  return work(run, { ...process.env, TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl });
}
