import { z } from 'zod';
import { optionalText, orAbsent, texts } from '../../../lib/zod-texts';
import type { MailSecret, NewProvider, Provider, ProviderConfig } from '../api';

const numeral = (least: number, most: number) =>
  z.string().trim().refine((text) => text === '' || (/^\d{1,9}$/.test(text) && Number(text) >= least && Number(text) <= most), `Enter a whole number from ${least} to ${most.toLocaleString('en-US')}`);

export const encryptions = [
  { value: 'starttls', label: 'STARTTLS, required' },
  { value: 'tls', label: 'TLS from the first byte' },
  { value: 'offered', label: 'STARTTLS if the server offers it' },
] as const;
export const starts = [
  { value: 'off', label: 'Off, until it is tested and switched on' },
  { value: 'on', label: 'On: it stands in at once when the others fail' },
] as const;

export const kinds = [
  { value: 'relay', label: 'Relay: a mail service that delivers for us' },
  { value: 'direct', label: 'Direct: our own server that delivers itself' },
] as const;

/** What the form of a mail account asks for. Host, port, encryption and user only where its secret is a password. */
export const providerSchema = z.object({
  name: z.string().trim().min(1, 'Name is required').max(100, texts.tooLong(100)),
  apiKeyRef: z.string().min(1, 'Choose a secret'),
  kind: z.enum(['relay', 'direct']),
  start: z.enum(['off', 'on']),
  host: z.string().trim().regex(/^[A-Za-z0-9.:-]{0,253}$/, 'Host must be a host name'),
  port: numeral(1, 65_535),
  encryption: z.enum(['starttls', 'tls', 'offered']),
  user: optionalText(200),
  messagesPerSecond: numeral(1, 10_000),
  messagesPerDay: numeral(1, 100_000_000),
  connections: numeral(1, 200),
  warmUp: z.string(),
  reason: optionalText(300),
  currentPassword: z.string(),
});
export type ProviderValues = z.infer<typeof providerSchema>;

const numberOf = (text: string) => (text.trim() ? Number(text) : undefined);

/** The form's start: empty, or the account as it is. */
export function providerValues(provider?: Provider): ProviderValues {
  const config: ProviderConfig = provider?.config ?? {};
  return {
    name: provider?.name ?? '', apiKeyRef: provider?.apiKeyRef ?? '', kind: config.kind ?? 'relay', start: 'off', reason: '', currentPassword: '',
    host: config.host ?? '', port: String(config.port ?? ''), user: config.user ?? '',
    encryption: config.secure ? 'tls' : config.requireTLS === false ? 'offered' : 'starttls',
    messagesPerSecond: String(config.messagesPerSecond ?? ''), messagesPerDay: String(config.messagesPerDay ?? ''), connections: String(config.connections ?? ''), warmUp: config.warmUp ?? '',
  };
}

/** What a secret decides already: nothing, the host (with a password), or all of the server (a whole address). */
export type Bound = 'nothing' | 'host' | 'server';

export function boundBy(secret: string, secrets: readonly MailSecret[]): Bound {
  const known = secrets.find(({ name }) => name === secret);
  if (secret === 'SMTP_URL' || known?.isAddress) return 'server';
  return known?.host ? 'host' : 'nothing';
}

/** How the account is reached; what the form does not ask for stays as it was. */
export function toConfig(values: ProviderValues, bound: Bound, before: ProviderConfig = {}): ProviderConfig {
  const server: ProviderConfig = bound === 'server' ? {} : {
    host: bound === 'host' ? before.host : orAbsent(values.host), port: numberOf(values.port), user: orAbsent(values.user),
    secure: values.encryption === 'tls' || undefined,
    requireTLS: values.encryption === 'tls' ? undefined : values.encryption === 'starttls',
  };
  return { ...before, ...server, kind: values.kind, messagesPerSecond: numberOf(values.messagesPerSecond), messagesPerDay: numberOf(values.messagesPerDay), connections: numberOf(values.connections), warmUp: orAbsent(values.warmUp) };
}

/** Fields whose change leads mail elsewhere: the password is asked for again. */
export const serverFields = ['host', 'port', 'encryption', 'user'] as const;

export const toNewProvider = (values: ProviderValues, bound: Bound): NewProvider => ({
  name: values.name.trim(), apiKeyRef: values.apiKeyRef, isActive: values.start === 'on', config: toConfig(values, bound), reason: orAbsent(values.reason), currentPassword: values.currentPassword || undefined,
});
