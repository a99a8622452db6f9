import type { MailHost, Settings } from '../../shared/config/settings.js';
import type { SendingClient } from '../../shared/enums.js';
import { isLocalName } from '../../shared/mail/public-address.js';

/**
 * relay: accepts our mail for all domains and does its own pacing. direct: our own MTA, which delivers to the
 * recipients' servers.
 */
export const ACCOUNT_KINDS = ['relay', 'direct'] as const;
export type AccountKind = (typeof ACCOUNT_KINDS)[number];

/** Contents of an account's `config`. */
export interface ProviderConfig {
  /** Absent: relay. */
  kind?: AccountKind;
  host?: string;
  port?: number | null;
  secure?: boolean;
  requireTLS?: boolean;
  user?: string;
  /** Maximum messages per second over all workers; absent: no limit. */
  messagesPerSecond?: number;
  /** Maximum messages per day (UTC) over all workers; absent: no limit. */
  messagesPerDay?: number;
  connections?: number;
  /** Absent: pipelined. */
  client?: SendingClient;
  /** Messages per connection before it is closed; absent: unlimited, or 50 during warm-up. */
  messagesPerConnection?: number;
  /**
   * Maximum messages per second to one mailbox provider; absent: no limit for a relay, the defaults of `providerLimit`
   * for a direct account.
   */
  domainMessagesPerSecond?: number;
  domainConnections?: number;
  /** First day of the warm-up, as YYYY-MM-DD in UTC. */
  warmUp?: string;
}

/** The SMTP server of an account. */
export interface AccountServer {
  /** smtp[s]://user:password@host:port */
  url: string;
  /**
   * Who named the host. A host named by an admin is checked at each connection; a host named by the operator is
   * trusted.
   */
  namedBy: 'operator' | 'admin';
}

/** Why an account's config cannot be used, with the offending field. */
export interface ConfigFault {
  field: keyof ProviderConfig;
  message: string;
}

const ADDRESS = /^smtps?:\/\//i;
/**
 * Ports on which mail servers accept mail from clients. Any other port would let the test mail serve as a port scanner.
 */
const MAIL_PORTS = [25, 465, 587, 2525];

export const HOST_REFUSED = 'This host cannot be used: name a mail server with a public address';

/** @returns the secret that `apiKeyRef` names; undefined if the configuration has no such secret */
export const secretOf = (settings: Settings, apiKeyRef: string): string | undefined =>
  apiKeyRef === 'SMTP_URL' ? settings.smtpUrl : settings.mailSecrets.get(apiKeyRef);

/** Whether a secret is an SMTP URL rather than a password. */
export const isAddress = (secret: string): boolean => ADDRESS.test(secret);

/** The only host to which a secret may be sent: the host of an SMTP URL, or SMTP_HOST_… for a plain SMTP_PASSWORD_…. */
export function boundHostOf(settings: Settings, apiKeyRef: string): MailHost | undefined {
  const secret = secretOf(settings, apiKeyRef);
  if (!secret) return undefined;
  if (!isAddress(secret)) return settings.mailHosts.get(apiKeyRef);
  return URL.canParse(secret)
    ? { host: bare(new URL(secret).hostname), port: Number(new URL(secret).port) || undefined }
    : undefined;
}

/**
 * Validates a config against its secret. A secret is sent only to the host that the operator bound it to, so a config
 * may repeat that host or omit it. If no host is bound, the password is never sent, and the config may name a public
 * host without sign-in. MailHostGuard checks the host's addresses.
 * @returns undefined if the config can be used
 */
export function configFault(settings: Settings, apiKeyRef: string, config: ProviderConfig): ConfigFault | undefined {
  const bound = boundHostOf(settings, apiKeyRef);
  const isWhole = isAddress(secretOf(settings, apiKeyRef) ?? '');
  if (bound && config.host && !isSameHost(config.host, bound.host)) {
    return {
      field: 'host',
      message: `${apiKeyRef} belongs to ${bound.host}: only the configuration can name another server for it`,
    };
  }
  if (isWhole) return undefined;
  if (!bound && !config.host) return { field: 'host', message: 'Host is required: the secret is a password only' };
  if (!bound && config.user) {
    return {
      field: 'user',
      message: `${apiKeyRef} is sent to no server yet: set ${apiKeyRef.replace('SMTP_PASSWORD_', 'SMTP_HOST_')} to the host that it belongs to`,
    };
  }
  if (!bound && isLocalName(config.host ?? '')) return { field: 'host', message: HOST_REFUSED };
  if (bound?.port && config.port && config.port !== bound.port)
    return { field: 'port', message: `${apiKeyRef} belongs to port ${bound.port}: leave the port out` };
  if (!bound?.port && config.port && !MAIL_PORTS.includes(config.port))
    return { field: 'port', message: `Port must be ${MAIL_PORTS.slice(0, -1).join(', ')} or ${MAIL_PORTS.at(-1)}` };
  if (settings.production && config.requireTLS === false && !config.secure)
    return { field: 'requireTLS', message: 'Mail goes out over TLS only: choose another encryption' };
  return undefined;
}

/** @returns the server of an account; null if its secret is not configured, or may not be used with its config */
export function serverOf(settings: Settings, apiKeyRef: string, stored: ProviderConfig): AccountServer | null {
  const secret = secretOf(settings, apiKeyRef);
  if (!secret) return null;
  if (isAddress(secret)) return URL.canParse(secret) ? { url: secret, namedBy: 'operator' } : null;
  const config = { ...stored, port: Number(stored.port) || undefined };
  const bound = settings.mailHosts.get(apiKeyRef);
  if (configFault(settings, apiKeyRef, config)) return null;
  const { host = '', port = config.port } = bound ?? { host: config.host };
  const text = `${config.secure ? 'smtps' : 'smtp'}://${host.includes(':') ? `[${host}]` : host}${port ? `:${port}` : ''}`;
  if (!URL.canParse(text)) return null;
  const url = new URL(text);
  if (config.user) {
    url.username = encodeURIComponent(config.user);
    url.password = encodeURIComponent(secret);
  }
  if (config.requireTLS !== undefined) url.searchParams.set('requireTLS', String(config.requireTLS));
  return { url: url.toString(), namedBy: bound ? 'operator' : 'admin' };
}

/**
 * Whether two configs reach the same server in the same way. Only changes of the server require the admin's password.
 */
export function isSameServer(one: ProviderConfig, other: ProviderConfig): boolean {
  const reach = ({ host, port, secure, requireTLS, user }: ProviderConfig): string =>
    JSON.stringify([bare(host ?? ''), Number(port) || 0, secure === true, requireTLS === false, user ?? '']);
  return reach(one) === reach(other);
}

const bare = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, '');
const isSameHost = (one: string, other: string): boolean => bare(one) === bare(other);
