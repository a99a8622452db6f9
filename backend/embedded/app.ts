import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CliError } from '../../scripts/lib/say.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { startProcess, type ManagedProcess, type ProcessContext } from './processes/managed-process.ts';
import type { Addresses } from './services.ts';
import type { Settings } from './settings.ts';

const READY_TIMEOUT_MS = 120_000;
const WORKER_GRACE_MS = 10_000;

/** Environment of the app: the given settings, completed with the URLs of the embedded parts. */
export function appEnv(settings: Settings, addresses: Addresses): NodeJS.ProcessEnv {
  const { embedded, env } = settings;
  return {
    NODE_ENV: 'development',
    ...env,
    PORT: String(settings.port),
    // In production, does not set a default for APP_URL, because the app must refuse to start without one.
    ...(settings.production && !env.APP_URL ? {} : { APP_URL: settings.appUrl }),
    DATA_DIR: settings.dataDir,
    STAFFCAST_EMBEDDED: embedded.join(','),
    ...(addresses.databaseUrl ? { DATABASE_URL: addresses.databaseUrl } : {}),
    ...(addresses.redisUrl ? { REDIS_URL: addresses.redisUrl } : {}),
    ...(addresses.smtpUrl ? { SMTP_URL: addresses.smtpUrl } : {}),
    ...addresses.stripe,
    ...(embedded.includes('mailbox') ? { MAILBOX_URL: `http://localhost:${settings.mailboxPort}` } : {}),
  };
}

/** Whether the process serves no HTTP pages: true for a worker and for the bounce listener. */
export const servesNoPages = ({ role }: Settings): boolean => role === 'worker' || role === 'bounces';

/** Starts the built app. The app writes to the supervisor's standard output. */
export function startApp(
  context: ProcessContext,
  settings: Settings,
  env: NodeJS.ProcessEnv,
  nodeFlags: string[] = [],
): ManagedProcess {
  return startProcess(context, {
    name: 'app',
    command: process.execPath,
    cwd: ROOT,
    env,
    passThrough: true,
    args: ['--enable-source-maps', ...nodeFlags, join(ROOT, 'backend', 'dist', 'src', 'main.js')],
  });
}

/**
 * Waits until the app reports ready.
 * @throws if the app exits first or is not ready in time
 */
export async function appReady(app: ManagedProcess, settings: Settings, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const started = Date.now();
  let answer = 'it did not listen yet';
  let ended: string | undefined;
  void app.exited.then(({ code, signal }) => {
    ended = signal ?? `exit code ${code}`;
  });
  while (Date.now() - started < timeoutMs) {
    if (ended) throw new CliError(`Staffcast did not start (${ended}): its own message is above.`);
    answer = (await readinessOf(settings.port)) ?? answer;
    if (answer === 'ready') return;
    // A worker and the bounce listener have no readiness page: they count as ready after WORKER_GRACE_MS.
    if (servesNoPages(settings) && Date.now() - started > WORKER_GRACE_MS) return;
    await sleep(100);
  }
  throw new CliError(
    `Staffcast was not ready after ${timeoutMs / 1000} s (last answer of /api/health/ready: ${answer}).`,
  );
}

async function readinessOf(port: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`, { signal: AbortSignal.timeout(5_000) });
    return response.status === 200 ? 'ready' : `${response.status} ${(await response.text()).slice(0, 300)}`;
  } catch {
    return undefined;
  }
}
