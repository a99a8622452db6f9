import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Refusal } from '../../scripts/lib/say.mjs';
import { ROOT } from '../../scripts/lib/paths.mjs';
import { startPart, type Part, type Surroundings } from './part.ts';
import type { Addresses } from './services.ts';
import type { Settings } from './settings.ts';

const READY_TIMEOUT_MS = 120_000;
const WORKER_GRACE_MS = 10_000;

/** The environment of the app: the settings as given, the embedded parts' addresses, everything resolved. */
export function appEnv(settings: Settings, addresses: Addresses): NodeJS.ProcessEnv {
  const { embedded, env } = settings;
  return {
    NODE_ENV: 'development',
    ...env,
    PORT: String(settings.port),
    // In production a missing one is for the app to refuse, and not for us to make up.
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

/** Whether the process serves no pages. */
export const isPageless = ({ role }: Settings): boolean => role === 'worker' || role === 'bounces';

/** Starts the built app; its output is ours. */
export function startApp(around: Surroundings, settings: Settings, env: NodeJS.ProcessEnv, nodeFlags: string[] = []): Part {
  return startPart(around, {
    name: 'app', command: process.execPath, cwd: ROOT, env, passThrough: true,
    args: ['--enable-source-maps', ...nodeFlags, join(ROOT, 'backend', 'dist', 'src', 'main.js')],
  });
}

/** Waits until the app says that it is ready; throws when it ends before, or takes too long. */
export async function appReady(app: Part, settings: Settings, timeoutMs = READY_TIMEOUT_MS): Promise<void> {
  const started = Date.now();
  let answer = 'it did not listen yet';
  let ended: string | undefined;
  void app.exited.then(({ code, signal }) => { ended = signal ?? `exit code ${code}`; });
  while (Date.now() - started < timeoutMs) {
    if (ended) throw new Refusal(`Staffcast did not start (${ended}): its own message is above.`);
    answer = await askReady(settings.port) ?? answer;
    if (answer === 'ready') return;
    // These serve no pages: that it lives is all there is to see.
    if (isPageless(settings) && Date.now() - started > WORKER_GRACE_MS) return;
    await sleep(100);
  }
  throw new Refusal(`Staffcast was not ready after ${timeoutMs / 1000} s (last answer of /api/health/ready: ${answer}).`);
}

async function askReady(port: number): Promise<string | undefined> {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/api/health/ready`, { signal: AbortSignal.timeout(5_000) });
    return response.status === 200 ? 'ready' : `${response.status} ${(await response.text()).slice(0, 300)}`;
  } catch {
    return undefined;
  }
}
