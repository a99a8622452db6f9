import { z } from 'zod';
import { optionalText, orAbsent, texts } from '../../../lib/zod-texts';
import type { MailAccount, MailAccountConfig, MailSecret, NewMailAccount } from '../api';

const numeral = (least: number, most: number) =>
  z
    .string()
    .trim()
    .refine(
      (text) => text === '' || (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most),
      `Enter a whole number from ${least} to ${most.toLocaleString('en-US')}`,
    );

export const encryptions = [
  { value: 'starttls', label: 'STARTTLS, required' },
  { value: 'tls', label: 'TLS from the first byte' },
  { value: 'offered', label: 'STARTTLS if the server offers it' },
] as const;
export const starts = [
  { value: 'off', label: 'Off, until it is tested and switched on' },
  { value: 'on', label: 'On: it takes over at once when the others fail' },
] as const;

export const kinds = [
  { value: 'relay', label: 'Relay: a mail service that delivers for us' },
  { value: 'direct', label: 'Direct: our own server that delivers itself' },
] as const;

export const sendingClients = [
  { value: 'pipelined', label: 'Fast (pipelined)' },
  { value: 'nodemailer', label: 'nodemailer (plain)' },
] as const;

/**
 * The fields of a mail account's form. Host, port, encryption and user apply only if the account's secret is a
 * password.
 */
export const mailAccountSchema = z.object({
  name: z.string().trim().min(1, 'Name is required').max(100, texts.tooLong(100)),
  apiKeyRef: z.string().min(1, 'Choose a secret'),
  kind: z.enum(['relay', 'direct']),
  start: z.enum(['off', 'on']),
  host: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9.:-]{0,253}$/, 'Host must be a host name'),
  port: numeral(1, 65_535),
  encryption: z.enum(['starttls', 'tls', 'offered']),
  user: optionalText(200),
  messagesPerSecond: numeral(1, 10_000),
  messagesPerDay: numeral(1, 100_000_000),
  connections: numeral(1, 200),
  client: z.enum(['pipelined', 'nodemailer']),
  warmUp: z.string(),
  reason: optionalText(300),
  currentPassword: z.string(),
});
export type MailAccountValues = z.infer<typeof mailAccountSchema>;

const numberOf = (text: string) => (text.trim() ? Number(text) : undefined);

/** The form's initial values: empty for a new account, otherwise those of the account. */
export function mailAccountValues(account?: MailAccount): MailAccountValues {
  const config: MailAccountConfig = account?.config ?? {};
  return {
    name: account?.name ?? '',
    apiKeyRef: account?.apiKeyRef ?? '',
    kind: config.kind ?? 'relay',
    start: 'off',
    reason: '',
    currentPassword: '',
    host: config.host ?? '',
    port: String(config.port ?? ''),
    user: config.user ?? '',
    encryption: config.secure ? 'tls' : config.requireTLS === false ? 'offered' : 'starttls',
    messagesPerSecond: String(config.messagesPerSecond ?? ''),
    messagesPerDay: String(config.messagesPerDay ?? ''),
    connections: String(config.connections ?? ''),
    client: config.client ?? 'pipelined',
    warmUp: config.warmUp ?? '',
  };
}

/**
 * How much of the server's configuration the secret fixes: nothing; the host, if the secret is a password for one; or
 * the whole server, if the secret is a URL.
 */
export type Bound = 'nothing' | 'host' | 'server';

export function boundBy(secret: string, secrets: readonly MailSecret[]): Bound {
  const known = secrets.find(({ name }) => name === secret);
  if (secret === 'SMTP_URL' || known?.isAddress) return 'server';
  return known?.host ? 'host' : 'nothing';
}

/** The configuration from the form; settings that the form does not show are kept. */
export function toConfig(values: MailAccountValues, bound: Bound, before: MailAccountConfig = {}): MailAccountConfig {
  const server: MailAccountConfig =
    bound === 'server'
      ? {}
      : {
          host: bound === 'host' ? before.host : orAbsent(values.host),
          port: numberOf(values.port),
          user: orAbsent(values.user),
          secure: values.encryption === 'tls' || undefined,
          requireTLS: values.encryption === 'tls' ? undefined : values.encryption === 'starttls',
        };
  return {
    ...before,
    ...server,
    kind: values.kind,
    messagesPerSecond: numberOf(values.messagesPerSecond),
    messagesPerDay: numberOf(values.messagesPerDay),
    connections: numberOf(values.connections),
    client: values.client === 'pipelined' ? undefined : values.client,
    warmUp: orAbsent(values.warmUp),
  };
}

/** Changing one of these fields can redirect mail, so the form asks for the password again. */
export const serverFields = ['host', 'port', 'encryption', 'user'] as const;

export const toNewMailAccount = (values: MailAccountValues, bound: Bound): NewMailAccount => ({
  name: values.name.trim(),
  apiKeyRef: values.apiKeyRef,
  isActive: values.start === 'on',
  config: toConfig(values, bound),
  reason: orAbsent(values.reason),
  currentPassword: values.currentPassword || undefined,
});
