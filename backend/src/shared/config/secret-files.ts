import { readFileSync } from 'node:fs';

type Env = Record<string, string | undefined>;

/**
 * Settings that may also be given as NAME_FILE, the path of a file that contains the value. Containers mount secrets as
 * files.
 */
export const SECRET_SETTINGS = [
  'DATABASE_URL',
  'REDIS_URL',
  'SMTP_URL',
  'STORAGE_URL',
  'JWT_SECRET',
  'JWT_SECRET_PREVIOUS',
  'INBOUND_SECRET',
  'METRICS_TOKEN',
  'DKIM_PRIVATE_KEY',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
];

/**
 * Whether a setting holds the secret of an additional mail account, such as SMTP_URL_BACKUP or SMTP_PASSWORD_BACKUP.
 */
export const isMailSecret = (name: string): boolean =>
  /^SMTP_(URL|PASSWORD)_[A-Z0-9_]+$/.test(name) && !name.endsWith('_FILE');

/** Returns the environment with secrets read from their files. Faults never contain the contents of a file. */
export function withSecretFiles(env: Env): { env: Env; faults: string[] } {
  const whole = { ...env };
  const faults: string[] = [];
  const mailSecrets = Object.keys(env)
    .filter((name) => name.endsWith('_FILE'))
    .map((name) => name.slice(0, -'_FILE'.length))
    .filter(isMailSecret);
  for (const name of [...SECRET_SETTINGS, ...mailSecrets]) {
    const path = env[`${name}_FILE`]?.trim();
    if (!path) continue;
    if (env[name]?.trim()) faults.push(`${name} and ${name}_FILE are both given: leave one of them out`);
    try {
      whole[name] = readFileSync(path, 'utf8').trim();
    } catch {
      faults.push(`${name}_FILE names a file that cannot be read`);
    }
  }
  return { env: whole, faults };
}
