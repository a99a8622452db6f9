import { createPublicKey } from 'node:crypto';
import type { Settings } from '../shared/config/settings.js';

/** The DNS records that let other servers trust our mail, for a person to enter at the domain's provider. */
export function dnsRecords(settings: Settings): string {
  const { mailDomain, bounceDomain, dkim } = settings;
  const host = smtpHost(settings.smtpUrl);
  const sender = host ? `a:${host}` : 'a mx';
  const lines = [
    `DNS records for mail from ${settings.mailFrom}`,
    '',
    'SPF: who may send',
    `  ${bounceDomain ?? mailDomain}.  TXT  "v=spf1 ${sender} -all"`,
    ...(bounceDomain ? [`  ${mailDomain}.  TXT  "v=spf1 ${sender} -all"`] : []),
    '',
    'DKIM: the signature on every message',
    ...(dkim ? [`  ${dkim.selector}._domainkey.${dkim.domain}.  TXT  ${quoted(dkimValue(dkim.privateKey))}`]
      : ['  not configured: set DKIM_DOMAIN, DKIM_SELECTOR and DKIM_PRIVATE_KEY_FILE']),
    '',
    'DMARC: what to do with mail that fails both',
    `  _dmarc.${mailDomain}.  TXT  "v=DMARC1; p=quarantine; rua=mailto:postmaster@${mailDomain}"`,
    '',
    'Bounces: where late refusals come back to',
    ...(bounceDomain ? [`  ${bounceDomain}.  MX  10 ${new URL(settings.appUrl).hostname}.`]
      : ['  not configured: without BOUNCE_DOMAIN late bounces go unseen']),
    '',
    'PTR: the sending address must lead back to its name',
    `  the IP address of ${host ?? 'the SMTP server'}  PTR  ${host ?? `mail.${mailDomain}`}.  (set by whoever owns the IP address)`,
  ];
  return lines.join('\n');
}

function smtpHost(smtpUrl: string): string | undefined {
  const host = URL.canParse(smtpUrl) ? new URL(smtpUrl).hostname : '';
  return host && !/^(localhost|[\d.:[\]]+)$/.test(host) ? host : undefined;
}

function dkimValue(privateKey: string): string {
  const key = createPublicKey(privateKey);
  const bytes = key.export({ type: 'spki', format: 'der' });
  const isEd25519 = key.asymmetricKeyType === 'ed25519';
  return `v=DKIM1; k=${isEd25519 ? 'ed25519' : 'rsa'}; p=${(isEd25519 ? bytes.subarray(-32) : bytes).toString('base64')}`;
}

/** A TXT record's strings hold at most 255 characters each. */
const quoted = (value: string): string => (value.match(/.{1,255}/g) ?? []).map((part) => `"${part}"`).join(' ');
