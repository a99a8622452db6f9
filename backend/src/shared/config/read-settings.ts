import { resolve } from 'node:path';
import { SENDING_CLIENTS } from '../enums.js';
import { hostOf } from '../mail/address.js';
import { EnvReader } from './env-reader.js';
import { keepGeneratedSecret } from './generated-secret.js';
import { isMailSecret, withSecretFiles } from './secret-files.js';
import { readClamd, readStorage } from './file-settings.js';
import {
  type DkimKey,
  type MailHost,
  PROCESS_ROLES,
  LINK_CHECKS,
  SENDER_ADDRESS_RULES,
  Settings,
  type SettingsValues,
} from './settings.js';

const MINUTE = 60;
const DEFAULT_SCHEDULE = [5, 7, 8, 25, 75, 120, 240].map((minutes) => minutes * MINUTE);
const MAIL_HOST = /^SMTP_HOST_[A-Z0-9_]+$/;
const RETRY_GIVE_UP_SECONDS = 72 * 60 * MINUTE;
const PLACEHOLDERS = /^(changeme|change-me|secret|password|example|test)$/i;
const SECRET_LENGTH = 32;
const DEMO_PASSWORD_LENGTH = 12;
/**
 * Minimum number of distinct characters in a production secret. Of a billion secrets of 64 random hexadecimal digits,
 * only one has fewer.
 */
const SECRET_VARIETY = 11;
const STRONG_SECRET_RULE =
  'at least 32 random characters, more than 10 of them different (openssl rand -hex 32 makes one)';

/** Names every fault of the environment in one message. `main` prints the message and exits with 1. */
export class SettingsError extends Error {
  constructor(readonly faults: readonly string[]) {
    super(
      `Staffcast cannot start: ${faults.length === 1 ? 'a setting is' : `${faults.length} settings are`} wrong.\n${faults.map((f) => `  - ${f}`).join('\n')}`,
    );
  }
}

type Env = Record<string, string | undefined>;

/** What the process needs. `services`: Redis and mail; command-line programs need only the database. */
export interface SettingsNeeds {
  services?: boolean;
}

/**
 * Reads and checks all settings (docker/README.md, "Settings").
 * @throws SettingsError with every fault
 */
export function readSettings(env: Env, { services = true }: SettingsNeeds = {}): Settings {
  const { env: whole, faults } = withSecretFiles(env);
  const read = new EnvReader(whole, faults);
  const production = read.oneOf('NODE_ENV', ['development', 'production', 'test'], 'development') === 'production';
  const embedded = new Set((read.text('STAFFCAST_EMBEDDED') ?? '').split(',').filter(Boolean));
  const port = read.number('PORT', 3000, 0, 65535);
  const dataDir = resolve(read.text('DATA_DIR') ?? '.data');
  const mailFrom = readMailFrom(read, embedded.has('mailbox') || !production);
  const values: SettingsValues = {
    production,
    embedded,
    port,
    dataDir,
    storage: readStorage(read, dataDir),
    clamd: readClamd(read),
    maxUploadMb: read.number('MAX_UPLOAD_MB', 10, 1, 100),
    freeStorageMb: read.number('FREE_STORAGE_MB', 200, 1),
    proStorageMb: read.number('PRO_STORAGE_MB', 5_000, 1),
    attachmentMaxMb: read.number('ATTACHMENT_MAX_MB', 2, 1, 20),
    attachmentBudgetMb: read.number('ATTACHMENT_BUDGET_MB', 1_000, 1),
    appUrl: readAppUrl(read, port, production),
    databaseUrl: needed(read, 'DATABASE_URL', ['postgres:', 'postgresql:'], true),
    redisUrl: needed(read, 'REDIS_URL', ['redis:', 'rediss:'], services),
    redisPrefix: read.text('REDIS_PREFIX') ?? 'staffcast',
    smtpUrl: needed(read, 'SMTP_URL', ['smtp:', 'smtps:'], services),
    mailSecrets: readMailSecrets(read),
    mailHosts: readMailHosts(read),
    mailboxUrl: read.url('MAILBOX_URL', ['http:', 'https:']),
    mailFrom,
    mailDomain: hostOf(mailFrom),
    bounceDomain: read.text('BOUNCE_DOMAIN') ?? (embedded.has('mailbox') ? 'bounces.localhost' : undefined),
    bouncePort:
      read.text('BOUNCE_PORT') === 'off' || read.text('BOUNCE_PORT') === undefined
        ? undefined
        : read.number('BOUNCE_PORT', 0, 0, 65535),
    inboundSecret: readSecret(read, 'INBOUND_SECRET', production),
    postalAddress: read.text('POSTAL_ADDRESS') ?? '1 Example Street, Springfield',
    linkCheck: read.oneOf('LINK_CHECK', LINK_CHECKS, 'dns'),
    senderAddress: read.oneOf('SENDER_ADDRESS', SENDER_ADDRESS_RULES, production ? 'required' : 'advised'),
    dkim: readDkim(read),
    jwtSecret: readJwtSecret(read, dataDir, production),
    jwtSecretPrevious: readSecret(read, 'JWT_SECRET_PREVIOUS', production, SECRET_LENGTH),
    stripe: readStripe(read, embedded),
    stripeAutomaticTax: read.oneOf('STRIPE_AUTOMATIC_TAX', ['on', 'off'], 'off') === 'on',
    freeDailyLimit: read.number('FREE_DAILY_LIMIT', 1),
    freeListLimit: read.optionalNumber('FREE_LIST_LIMIT'),
    freeContactLimit: read.optionalNumber('FREE_CONTACT_LIMIT'),
    freeSegmentLimit: read.optionalNumber('FREE_SEGMENT_LIMIT'),
    freeScheduledLimit: read.number('FREE_SCHEDULED_LIMIT', 3),
    scheduleLateMinutes: read.number('SCHEDULE_LATE_MINUTES', 60, 1),
    freeOutreachBudget: read.number('FREE_OUTREACH_BUDGET', 50),
    proOutreachBudget: read.number('PRO_OUTREACH_BUDGET', 500),
    importDailyMb: read.number('IMPORT_DAILY_MB', 300, 1),
    importMxCheck: read.oneOf('IMPORT_MX_CHECK', ['on', 'off'], production ? 'on' : 'off') === 'on',
    ...readDemo(read, dataDir, production),
    metricsToken: readSecret(read, 'METRICS_TOKEN', production),
    role: read.oneOf('ROLE', PROCESS_ROLES, 'all'),
    sendRate: read.number('SEND_RATE', 0),
    networkDailyCap: read.number('NETWORK_DAILY_CAP', 3),
    networkMinAccountDays: read.number('NETWORK_MIN_ACCOUNT_DAYS', production ? 7 : 0),
    trustProxy: read.text('TRUST_PROXY') === 'off' ? 0 : read.number('TRUST_PROXY', 0, 0, 10),
    rateLimits: read.oneOf('RATE_LIMITS', ['on', 'off'], 'on') === 'on',
    linkGuardSeconds: read.number('LINK_GUARD_SECONDS', production ? 300 : 0),
    retrySchedule: read.seconds('RETRY_SCHEDULE', DEFAULT_SCHEDULE),
    retryGiveUp: read.number('RETRY_GIVE_UP', RETRY_GIVE_UP_SECONDS, 1),
    logLevel: read.oneOf('LOG_LEVEL', ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'], 'info'),
    workerPort: read.optionalNumber('WORKER_PORT'),
    drainSeconds: read.number('DRAIN_SECONDS', production ? 5 : 0, 0, 60),
    graceSeconds: read.number('GRACE_SECONDS', 85, 1, 600),
    tracesUrl: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:'])?.replace(/(?<!\/)\/+$/, ''),
    retention: readRetention(read),
  };
  if (production) refuseInProduction(read, values);
  if (read.faults.length > 0) throw new SettingsError(read.faults);
  return new Settings(values);
}

function needed(read: EnvReader, name: string, protocols: string[], required: boolean): string {
  const missing = read.text(name) === undefined;
  if (missing && required)
    read.fault(`${name} is missing (npm start brings one up by itself; every other way of starting needs it)`);
  return read.url(name, protocols) ?? '';
}

/** Reads the secrets of additional mail accounts. Also checks the `client` parameter of their URLs and of SMTP_URL. */
function readMailSecrets(read: EnvReader): Map<string, string> {
  const secrets = read.allOf(isMailSecret);
  for (const [name, url] of new Map(secrets).set('SMTP_URL', read.text('SMTP_URL') ?? '')) {
    const client = /^smtps?:/i.test(url) && URL.canParse(url) ? new URL(url).searchParams.get('client') : null;
    if (client !== null && !SENDING_CLIENTS.some((known) => known === client))
      read.fault(`${name}: client must be ${SENDING_CLIENTS.join(' or ')}`);
  }
  return secrets;
}

/**
 * Reads APP_URL, the base of all links, which also decides whether cookies are secure. Production requires https,
 * unless ALLOW_HTTP=on allows plain http for a trial on one machine.
 */
function readAppUrl(read: EnvReader, port: number, production: boolean): string {
  const mayBePlain = read.oneOf('ALLOW_HTTP', ['on', 'off'], 'off') === 'on';
  const given = read.text('APP_URL');
  const url = read.url('APP_URL', ['http:', 'https:']);
  if (production && given === undefined)
    read.fault('APP_URL is required in production: the address that people open, such as https://mail.example.com');
  if (production && url?.toLowerCase().startsWith('http:') && !mayBePlain) {
    read.fault(
      'APP_URL must start with https:// in production: over http:// cookies and links can be read on the way (ALLOW_HTTP=on allows it, for a trial on one machine)',
    );
  }
  return (url ?? `http://localhost:${port}`).replace(/(?<!\/)\/+$/, '');
}

function readMailFrom(read: EnvReader, mayDefault: boolean): string {
  const address = read.text('MAIL_FROM');
  if (address === undefined && !mayDefault)
    read.fault('MAIL_FROM is required in production: the address that mail comes from');
  if (address !== undefined && !/^[^\s@<>",]+@[^\s@<>",]+$/.test(address))
    read.fault('MAIL_FROM must be one bare address, such as no-reply@example.com');
  return address ?? 'no-reply@localhost';
}

/**
 * Reads settings such as SMTP_HOST_BACKUP=smtp.example.com, smtp.example.com:587 or [2001:db8::1]:587.
 * @returns hosts, keyed by the name of the matching SMTP_PASSWORD_… setting
 */
function readMailHosts(read: EnvReader): Map<string, MailHost> {
  const hosts = new Map<string, MailHost>();
  for (const [name, value] of read.allOf((key) => MAIL_HOST.test(key))) {
    const [, ipv6, plain, port] = /^(?:\[([0-9a-f:.]+)\]|([a-z0-9.-]+))(?::(\d{1,5}))?$/i.exec(value) ?? [];
    const host = ipv6 ?? plain;
    if (!host || Number(port ?? 1) > 65_535 || Number(port ?? 1) === 0)
      read.fault(`${name} must be a host, or host:port, such as smtp.example.com:587`);
    else hosts.set(name.replace('SMTP_HOST_', 'SMTP_PASSWORD_'), { host, ...(port && { port: Number(port) }) });
  }
  return hosts;
}

function readDkim(read: EnvReader): DkimKey | undefined {
  const domain = read.text('DKIM_DOMAIN');
  const selector = read.text('DKIM_SELECTOR');
  const privateKey = read.text('DKIM_PRIVATE_KEY');
  if (!domain && !selector && !privateKey) return undefined;
  if (domain && selector && privateKey) return { domain, selector, privateKey: privateKey.replace(/\\n/g, '\n') };
  read.fault(
    'DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY (or DKIM_PRIVATE_KEY_FILE) belong together: give all three or none',
  );
  return undefined;
}

function readRetention(read: EnvReader): Settings['retention'] {
  return {
    deliveryLogs: read.number('RETAIN_DELIVERY_LOGS_DAYS', 400, 1),
    audit: read.number('RETAIN_AUDIT_DAYS', 365, 30),
    imports: read.number('RETAIN_IMPORTS_DAYS', 90, 1),
    systemMail: read.number('RETAIN_SYSTEM_MAIL_DAYS', 30, 1),
  };
}

function readStripe(read: EnvReader, embedded: Set<string>): Settings['stripe'] {
  const [secretKey, publishableKey, webhookSecret] = [
    'STRIPE_SECRET_KEY',
    'STRIPE_PUBLISHABLE_KEY',
    'STRIPE_WEBHOOK_SECRET',
  ].map((name) => read.text(name));
  if (secretKey) {
    if (!publishableKey)
      read.fault('STRIPE_PUBLISHABLE_KEY is required with STRIPE_SECRET_KEY: the payment form needs it');
    if (!webhookSecret)
      read.fault('STRIPE_WEBHOOK_SECRET is required with STRIPE_SECRET_KEY: without it no payment is heard of');
    if (publishableKey && isLiveKey(secretKey) !== isLiveKey(publishableKey))
      read.fault('STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY must both be live keys or both test keys');
    if (embedded.has('stripe') && isLiveKey(secretKey)) read.fault('the Stripe simulator refuses live keys');
  }
  return {
    secretKey,
    publishableKey,
    webhookSecret,
    priceMonthly: read.text('STRIPE_PRICE_MONTHLY'),
    priceYearly: read.text('STRIPE_PRICE_YEARLY'),
    apiUrl: read.url('STRIPE_API_URL', ['http:', 'https:']),
  };
}

const isLiveKey = (key: string): boolean => /^[a-z]+_live_/.test(key);

function readJwtSecret(read: EnvReader, dataDir: string, production: boolean): string {
  const secret = readSecret(read, 'JWT_SECRET', production, SECRET_LENGTH);
  if (secret !== undefined) return secret;
  if (!production) return keepGeneratedSecret(dataDir, 'jwt-secret');
  read.fault(`JWT_SECRET is required in production: ${STRONG_SECRET_RULE}`);
  return '';
}

/** Whether demo data is created, and the demo account's password. */
function readDemo(read: EnvReader, dataDir: string, production: boolean): { demoData: boolean; demoPassword: string } {
  const demoData = read.oneOf('DEMO_DATA', ['on', 'off'], 'off') === 'on';
  const demoPassword = readSecret(read, 'DEMO_PASSWORD', false, DEMO_PASSWORD_LENGTH);
  return {
    demoData,
    demoPassword:
      demoPassword ??
      (demoData && !production ? keepGeneratedSecret(dataDir, 'demo-password', DEMO_PASSWORD_LENGTH) : ''),
  };
}

/**
 * Reads a secret. Production requires a strong secret; elsewhere `least` characters suffice.
 * @returns undefined if the setting is absent
 */
function readSecret(read: EnvReader, name: string, production: boolean, least = 0): string | undefined {
  const secret = read.text(name);
  if (secret === undefined) return undefined;
  const isWeak = secret.length < SECRET_LENGTH || new Set(secret).size < SECRET_VARIETY;
  if (production && isWeak) read.fault(`${name} is too weak for production: ${STRONG_SECRET_RULE}`);
  else if (secret.length < least || (least > 0 && PLACEHOLDERS.test(secret)))
    read.fault(`${name} must be at least ${least} random characters`);
  return secret;
}

function refuseInProduction(
  read: EnvReader,
  values: { embedded: ReadonlySet<string>; demoData: boolean; rateLimits: boolean },
): void {
  if (values.embedded.size > 0)
    read.fault(
      `production refuses the embedded ${[...values.embedded].join(', ')}: set DATABASE_URL, REDIS_URL, SMTP_URL and, for billing, STRIPE_SECRET_KEY`,
    );
  if (!read.text('POSTAL_ADDRESS'))
    read.fault('POSTAL_ADDRESS is required in production: the law wants it in every mail');
  if (values.demoData) read.fault('DEMO_DATA is refused in production');
  if (!values.rateLimits) read.fault('RATE_LIMITS=off is refused in production');
}
