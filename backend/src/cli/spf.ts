import { isIPv4, isIPv6 } from 'node:net';

/** SPF includes that providers publish for their customers, by the suffix of their submission host. */
const INCLUDES: readonly [host: RegExp, include: string][] = [
  [/(^|\.)email-smtp(-fips)?\.[a-z0-9-]+\.amazonaws\.com$/, 'amazonses.com'],
  [/(^|\.)sendgrid\.net$/, 'sendgrid.net'],
  [/(^|\.)eu\.mailgun\.org$/, 'eu.mailgun.org'],
  [/(^|\.)mailgun\.org$/, 'mailgun.org'],
  [/(^|\.)postmarkapp\.com$/, 'spf.mtasv.net'],
  [/(^|\.)(gmail|google|googlemail)\.com$/, '_spf.google.com'],
  [/(^|\.)(office365|outlook)\.com$/, 'spf.protection.outlook.com'],
  [/(^|\.)mailjet\.com$/, 'spf.mailjet.com'],
  [/(^|\.)(brevo|sendinblue)\.com$/, 'spf.brevo.com'],
  [/(^|\.)eu\.sparkpostmail\.com$/, '_spf.eu.sparkpostmail.com'],
  [/(^|\.)sparkpostmail\.com$/, '_spf.sparkpostmail.com'],
  [/(^|\.)mandrillapp\.com$/, 'spf.mandrillapp.com'],
  [/(^|\.)smtp2go\.com$/, 'spf.smtp2go.com'],
  [/(^|\.)mailersend\.net$/, '_spf.mailersend.net'],
  [/(^|\.)(fastmail\.com|messagingengine\.com)$/, 'spf.messagingengine.com'],
];

/** SPF record for a set of outgoing mail servers. */
export interface SpfAdvice {
  record: string;
  /** Servers whose sending addresses are unknown here, because only their provider knows them. */
  unknown: string[];
}

/**
 * The SPF include of a known provider's submission host.
 * @returns undefined for an unknown host
 */
export const knownInclude = (host: string): string | undefined =>
  INCLUDES.find(([pattern]) => pattern.test(host.toLowerCase().replace(/\.$/, '')))?.[1];

/**
 * Builds the SPF record. Providers send from other addresses than their submission host, so a host is named only if it
 * is our own: an IP address, or a name within the mail domain. The record ends with ~all, so that mail of a provider
 * that is missing here is judged by DKIM instead of being refused.
 */
export function spfFor(hosts: readonly string[], mailDomain: string): SpfAdvice {
  const unknown: string[] = [];
  const terms = hosts.flatMap((host) => {
    const include = knownInclude(host);
    if (include) return [`include:${include}`];
    if (isIPv4(host)) return [`ip4:${host}`];
    if (isIPv6(host)) return [`ip6:${host}`];
    if (isWithin(host, mailDomain)) return [`a:${host}`];
    unknown.push(host);
    return [];
  });
  return { record: ['v=spf1', ...new Set(hosts.length > 0 ? terms : ['a', 'mx']), '~all'].join(' '), unknown };
}

/** Whether a host belongs to the mail domain's organisation: below the mail domain, or below its parent domain. */
function isWithin(host: string, mailDomain: string): boolean {
  const parent = mailDomain.split('.').slice(1).join('.');
  return (
    host === mailDomain || host.endsWith(`.${mailDomain}`) || (parent.includes('.') && host.endsWith(`.${parent}`))
  );
}
