import { createPublicKey } from 'node:crypto';
import { isIP } from 'node:net';
import type { Settings } from '../shared/config/settings.js';
import { isLocalName, isPublicAddress } from '../shared/mail/public-address.js';
import { knownInclude, spfFor } from './spf.js';

/** DNS records for outgoing mail (SPF, DKIM, DMARC), to be entered at the domain's DNS provider. */
export function dnsRecords(settings: Settings): string {
  const { mailDomain, bounceDomain, dkim } = settings;
  const hosts = smtpHosts(settings);
  const own = hosts.filter((host) => !knownInclude(host));
  const { record, unknown } = spfFor(hosts, mailDomain);
  const lines = [
    `DNS records for mail from ${settings.mailFrom}`,
    '',
    'SPF: who may send',
    `  ${bounceDomain ?? mailDomain}.  TXT  "${record}"`,
    ...(bounceDomain ? [`  ${mailDomain}.  TXT  "${record}"`] : []),
    ...unknown.map(
      (host) => `  ask the provider of ${host} what to add before ~all: usually include: and a name of theirs`,
    ),
    '',
    'DKIM: the signature on every message',
    ...(dkim
      ? [`  ${dkim.selector}._domainkey.${dkim.domain}.  TXT  ${quoted(dkimValue(dkim.privateKey))}`]
      : ['  not configured: set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY_FILE']),
    '',
    'DMARC: what to do with mail that fails both',
    `  _dmarc.${mailDomain}.  TXT  "v=DMARC1; p=quarantine; rua=mailto:postmaster@${mailDomain}"`,
    '',
    'Bounces: where late refusals come back to',
    ...(bounceDomain
      ? [`  ${bounceDomain}.  MX  10 ${new URL(settings.appUrl).hostname}.`]
      : ['  not configured: without BOUNCE_DOMAIN late bounces go unseen']),
    '',
    'PTR: the sending address must lead back to its name',
    ...(own.length > 0 || hosts.length === 0
      ? (own.length > 0 ? own : [undefined]).map(
          (host) =>
            `  the IP address of ${host ?? 'the SMTP server'}  PTR  ${host ?? `mail.${mailDomain}`}.  (set by whoever owns the IP address)`,
        )
      : ["  nothing to set: the addresses are the provider's"]),
  ];
  return lines.join('\n');
}

/** Outgoing mail servers except local ones. */
function smtpHosts({ smtpUrl, mailSecrets, mailHosts }: Settings): string[] {
  const urls = [smtpUrl, ...[...mailSecrets.values()].filter((secret) => /^smtps?:/i.test(secret))].filter((url) =>
    URL.canParse(url),
  );
  const hosts = [...urls.map((url) => new URL(url).hostname), ...[...mailHosts.values()].map(({ host }) => host)].map(
    (host) => host.toLowerCase().replace(/^\[|\]$|\.$/g, ''),
  );
  return [...new Set(hosts)].filter((host) => isPublicAddress(host) || (!isIP(host) && !isLocalName(host)));
}

function dkimValue(privateKey: string): string {
  const key = createPublicKey(privateKey);
  const bytes = key.export({ type: 'spki', format: 'der' });
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  return `v=DKIM1; k=${isEd25519 ? 'ed25519' : 'rsa'}; p=${(isEd25519 ? bytes.subarray(-32) : bytes).toString('base64')}`;
}

/** Splits a TXT value into quoted strings, because one string holds at most 255 characters. */
const quoted = (value: string): string => (value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
