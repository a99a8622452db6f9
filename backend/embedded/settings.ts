import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readText } from '../../scripts/lib/files.mjs';

export type PartName = 'postgres' | 'redis' | 'mailbox' | 'stripe';

/** What the start itself has to know; all other settings are the app's business. */
export interface Settings {
  port: number;
  mailboxPort: number;
  appUrl: string;
  dataDir: string;
  production: boolean;
  role: string;
  /** The setting that replaces an embedded part, where it is given. */
  given: Partial<Record<PartName, string>>;
  /** The parts that have to be started here. */
  embedded: PartName[];
  /** The whole environment, `.env` included. */
  env: NodeJS.ProcessEnv;
  problems: string[];
}

const REPLACED_BY: Record<Exclude<PartName, 'stripe'>, string> = { postgres: 'DATABASE_URL', redis: 'REDIS_URL', mailbox: 'SMTP_URL' };

/** Reads the environment and the `.env` file beside it; the environment wins, an empty value counts as none. */
export function readSettings(root: string, processEnv: NodeJS.ProcessEnv): Settings {
  const env = { ...parseEnv(readText(join(root, '.env')) ?? ''), ...withoutEmpty(processEnv) };
  const problems: string[] = [];
  const port = portOf(env, 'PORT', 3000, problems);
  const mailboxPort = portOf(env, 'MAILBOX_PORT', 8025, problems);
  const production = env.NODE_ENV === 'production';
  const given: Settings['given'] = {};
  const embedded: PartName[] = [];
  for (const [part, setting] of Object.entries(REPLACED_BY) as [keyof typeof REPLACED_BY, string][]) {
    if (env[setting]) given[part] = env[setting];
    else embedded.push(part);
  }
  if (production) {
    problems.push(...embedded.map((part) => `${REPLACED_BY[part as keyof typeof REPLACED_BY]} is required: NODE_ENV=production does not use the embedded ${part}`));
  }
  // In production billing without keys is off; beside an embedded part it is the simulator's.
  if (!production && embedded.length > 0 && !env.STRIPE_SECRET_KEY && !env.STRIPE_SECRET_KEY_FILE) embedded.push('stripe');
  if (embedded.includes('mailbox') && port === mailboxPort) problems.push(`PORT and MAILBOX_PORT are both ${port}`);
  const dataDir = env.DATA_DIR ?? '.data';
  return {
    port, mailboxPort, production, given, embedded, env, problems,
    appUrl: (env.APP_URL ?? `http://localhost:${port}`).replace(/(?<!\/)\/+$/, ''),
    dataDir: isAbsolute(dataDir) ? dataDir : join(root, dataDir),
    role: env.ROLE ?? 'all',
  };
}

function withoutEmpty(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
}

function portOf(env: NodeJS.ProcessEnv, name: string, otherwise: number, problems: string[]): number {
  const text = env[name];
  if (text === undefined) return otherwise;
  const port = Number(text);
  if (/^\d+$/.test(text) && port > 0 && port < 65536) return port;
  problems.push(`${name} must be a port number from 1 to 65535, not "${text}"`);
  return otherwise;
}
