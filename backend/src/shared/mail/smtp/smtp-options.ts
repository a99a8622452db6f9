import { hostname } from 'node:os';
import type { DkimKey, Settings } from '../../config/settings.js';
import { SENDING_CLIENTS } from '../../enums.js';
import type { DkimOptions } from './dkim-signer.js';
import type { AccountOptions } from './mail-accounts.js';

/** Timeouts for mail servers, in milliseconds; fault tests shorten them. */
export const SMTP_LIMITS = {
  connectMs: 30_000,
  greetingMs: 30_000,
  /** Timeout for connecting, negotiating TLS and signing in together. */
  setUpMs: 90_000,
  commandMs: 300_000,
  /** Long, because a shorter wait for the reply to the final dot causes duplicates (RFC 1047). */
  afterDotMs: 600_000,
};

/** Headers to sign. nodemailer's default list lacks the header for one-click unsubscribe. */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID';

/** Headers that nobody may add to a signed message, so that it cannot be replayed with our signature. */
const OVER_SIGNED_HEADERS = 'From:Reply-To:Subject:Date:To';

/**
 * Transport options of an account. They require TLS in production, use a pool, and forbid file and URL access for
 * content. The query of the URL may set `connections`, `requireTLS` and `client`.
 * @param account URL of the account; default: SMTP_URL
 */
export function smtpOptions(settings: Settings, connections: number, account = settings.smtpUrl): AccountOptions {
  const url = new URL(account);
  const secure = url.protocol === 'smtps:';
  const requireTLS = url.searchParams.get('requireTLS');
  const user = decodeURIComponent(url.username);
  return {
    pool: true,
    maxConnections: Number(url.searchParams.get('connections')) || connections,
    maxMessages: Infinity,
    client: SENDING_CLIENTS.find((client) => client === url.searchParams.get('client')),
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: Number(url.port) || (secure ? 465 : 587),
    secure,
    requireTLS: !secure && (requireTLS === null ? settings.production : requireTLS === 'true'),
    ignoreTLS: !settings.production && requireTLS === null && !secure,
    auth: user ? { type: 'login', user, pass: decodeURIComponent(url.password) } : undefined,
    name: settings.mailDomain === 'localhost' ? hostname() : settings.mailDomain,
    connectionTimeout: SMTP_LIMITS.connectMs,
    greetingTimeout: SMTP_LIMITS.greetingMs,
    socketTimeout: 600_000,
    disableFileAccess: true,
    disableUrlAccess: true,
    dkim: settings.dkim && dkimOptions(settings.dkim),
  };
}

const dkimOptions = ({ domain, selector, privateKey }: DkimKey): DkimOptions => ({
  domainName: domain,
  keySelector: selector,
  privateKey,
  headerFieldNames: SIGNED_HEADERS,
  overSignedNames: OVER_SIGNED_HEADERS,
});
