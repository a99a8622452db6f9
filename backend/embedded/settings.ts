import { isAbsolute, join } from 'node:path';
import { parseEnv } from 'node:util';
import { readText } from '../../scripts/lib/files.mjs';

export type PartName = 'postgres' | 'redis' | 'mailbox' | 'stripe';

/** Settings that the supervisor needs. The app reads all others itself. */
export interface Settings {
  port: number;
  mailboxPort: number;
  appUrl: string;
  dataDir: string;
  production: boolean;
  role: string;
  /** For each part that is not embedded, the value of the setting that replaces it. */
  given: Partial<Record<PartName, string>>;
  /** Embedded parts to start. */
  embedded: PartName[];
  /** The whole environment, `.env` included. */
  env: NodeJS.ProcessEnv;
  problems: string[];
}

const SETTING_OF_PART: Record<Exclude<PartName, 'stripe'>, string> = {
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
  mailbox: 'SMTP_URL',
};

/** Reads the environment and the `.env` file. The environment has precedence; empty values count as absent. */
export function readSettings(root: string, processEnv: NodeJS.ProcessEnv): Settings {
  const env = { ...parseEnv(readText(join(root, '.env')) ?? ''), ...withoutEmpty(processEnv) };
  const problems: string[] = [];
  const port = portOf(env, 'PORT', 3000, problems);
  const mailboxPort = portOf(env, 'MAILBOX_PORT', 8025, problems);
  const production = env.NODE_ENV === 'production';
  const given: Settings['given'] = {};
  const embedded: PartName[] = [];
  for (const [part, setting] of Object.entries(SETTING_OF_PART) as [keyof typeof SETTING_OF_PART, string][]) {
    if (env[setting]) given[part] = env[setting];
    else embedded.push(part);
  }
  if (production) {
    problems.push(
      ...embedded.map(
        (part) =>
          `${SETTING_OF_PART[part as keyof typeof SETTING_OF_PART]} is required: NODE_ENV=production does not use the embedded ${part}`,
      ),
    );
  }
  // Without Stripe keys, billing is off in production; with embedded parts it uses the simulator.
  if (!production && embedded.length > 0 && !env.STRIPE_SECRET_KEY && !env.STRIPE_SECRET_KEY_FILE)
    embedded.push('stripe');
  if (embedded.includes('mailbox') && port === mailboxPort) problems.push(`PORT and MAILBOX_PORT are both ${port}`);
  const dataDir = env.DATA_DIR ?? '.data';
  return {
    port,
    mailboxPort,
    production,
    given,
    embedded,
    env,
    problems,
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
