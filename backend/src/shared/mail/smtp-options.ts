import { hostname } from 'node:os';
import type { SMTPPoolOptions } from 'nodemailer';
import type { DkimKey, Settings } from '../config/settings.js';
import type { DkimOptions } from './dkim-signer.js';
import { SMTP_LIMITS } from './smtp-limits.js';

/** Names that must be signed: the library's default list leaves out the one-click header. */
const SIGNED_HEADERS =
  'From:Sender:Reply-To:Subject:Date:Message-ID:To:MIME-Version:Content-Type:Content-Transfer-Encoding:List-Id:List-Unsubscribe:List-Unsubscribe-Post:Feedback-ID';

/** Signed once more than they stand there, so that nobody can add another one above ours and replay the message under our signature. */
const OVER_SIGNED_HEADERS = 'From:Reply-To:Subject:Date:To';

/** Transport options of an account, by default that of SMTP_URL: pooled, no file or network access for content, TLS insisted on in production. */
export function smtpOptions(settings: Settings, connections: number, account = settings.smtpUrl): SMTPPoolOptions & { pool: true } {
  const url = new URL(account);
  const secure = url.protocol === 'smtps:';
  const requireTLS = url.searchParams.get('requireTLS');
  const user = decodeURIComponent(url.username);
  return {
    pool: true,
    maxConnections: Number(url.searchParams.get('connections')) || connections,
    maxMessages: Infinity,
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
  domainName: domain, keySelector: selector, privateKey, headerFieldNames: SIGNED_HEADERS, overSignedNames: OVER_SIGNED_HEADERS,
});
