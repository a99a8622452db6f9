import type { Settings } from '../../../shared/config/settings.js';

/** relay: takes our mail for all domains and paces itself; direct: our own MTA, which speaks to the recipients' servers. */
export const ACCOUNT_KINDS = ['relay', 'direct'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** What `config` of an account may hold. */
export interface ProviderConfig {
  /** Absent: relay. */
  kind?: AccountKind;
  host?: string;
  port?: number | null;
  secure?: boolean;
  requireTLS?: boolean;
  user?: string;
  /** Messages a second over all workers; absent: no limit of its own. */
  messagesPerSecond?: number;
  /** Messages a day (UTC) over all workers; absent: no limit of its own. */
  messagesPerDay?: number;
  connections?: number;
  /** After so many a connection is closed; absent: as long as the server keeps it, while the account is warmed up fifty. */
  messagesPerConnection?: number;
  /** What one recipient domain is given at most; absent: no limit for a relay, the defaults of LaneLimits for a direct account. */
  domainMessagesPerSecond?: number;
  domainConnections?: number;
  /** First day of the slow start. */
  warmUp?: string;
}

const ADDRESS = /^smtps?:\/\//i;

/** The secret that `apiKeyRef` names; undefined where the configuration has none. */
export const secretOf = (settings: Settings, apiKeyRef: string): string | undefined => (apiKeyRef === 'SMTP_URL' ? settings.smtpUrl : settings.mailSecrets.get(apiKeyRef));

/** Whether a secret is a whole address, not a password only. */
export const isAddress = (secret: string): boolean => ADDRESS.test(secret);

/**
 * The address of an account: its secret where that is one (smtp://user:password@host), else host and user of its config with the
 * secret as password. Null where its secret is missing from the configuration or it names no host.
 */
export function accountUrl(settings: Settings, apiKeyRef: string, config: ProviderConfig): string | null {
  const secret = secretOf(settings, apiKeyRef);
  if (!secret) return null;
  if (isAddress(secret)) return URL.canParse(secret) ? secret : null;
  const host = config.host?.includes(':') ? `[${config.host}]` : config.host;
  const text = `${config.secure ? 'smtps' : 'smtp'}://${host}${config.port ? `:${config.port}` : ''}`;
  if (!host || !URL.canParse(text)) return null;
  const url = new URL(text);
  if (config.user) {
    url.username = encodeURIComponent(config.user);
    url.password = encodeURIComponent(secret);
  }
  if (config.requireTLS !== undefined) url.searchParams.set('requireTLS', String(config.requireTLS));
  return url.toString();
}
