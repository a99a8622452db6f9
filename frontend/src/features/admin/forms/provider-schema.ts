import { z } from 'zod';
import { orAbsent } from '../../../lib/zod-texts';
import type { NewProvider, Provider, ProviderConfig } from '../api';

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
  name: z.string().trim().min(1, 'Name is required').max(100),
  apiKeyRef: z.string().min(1, 'Choose a secret'),
  kind: z.enum(['relay', 'direct']),
  start: z.enum(['off', 'on']),
  host: z.string().trim().regex(/^[A-Za-z0-9.:-]{0,253}$/, 'Host must be a host name'),
  port: numeral(1, 65_535),
  encryption: z.enum(['starttls', 'tls', 'offered']),
  user: z.string().trim().max(200),
  messagesPerSecond: numeral(1, 10_000),
  messagesPerDay: numeral(1, 100_000_000),
  connections: numeral(1, 200),
  warmUp: z.string(),
  reason: z.string(),
});
export type ProviderValues = z.infer<typeof providerSchema>;

const numberOf = (text: string) => (text.trim() ? Number(text) : undefined);

/** The form's start: empty, or the account as it is. */
export function providerValues(provider?: Provider): ProviderValues {
  const config: ProviderConfig = provider?.config ?? {};
  return {
    name: provider?.name ?? '', apiKeyRef: provider?.apiKeyRef ?? '', kind: config.kind ?? 'relay', start: 'off', reason: '',
    host: config.host ?? '', port: String(config.port ?? ''), user: config.user ?? '',
    encryption: config.secure ? 'tls' : config.requireTLS === false ? 'offered' : 'starttls',
    messagesPerSecond: String(config.messagesPerSecond ?? ''), messagesPerDay: String(config.messagesPerDay ?? ''), connections: String(config.connections ?? ''), warmUp: config.warmUp ?? '',
  };
}

/** How the account is reached; what stands in a whole address is not said again, and stays as it was. */
export function toConfig(values: ProviderValues, isAddress: boolean, before: ProviderConfig = {}): ProviderConfig {
  const { host, port, secure, requireTLS, user } = before;
  const server: ProviderConfig = isAddress
    ? { host, port: port ?? undefined, secure, requireTLS, user }
    : {
        host: orAbsent(values.host), port: numberOf(values.port), user: orAbsent(values.user),
        secure: values.encryption === 'tls' || undefined,
        requireTLS: values.encryption === 'tls' ? undefined : values.encryption === 'starttls',
      };
  return { ...server, kind: values.kind, messagesPerSecond: numberOf(values.messagesPerSecond), messagesPerDay: numberOf(values.messagesPerDay), connections: numberOf(values.connections), warmUp: orAbsent(values.warmUp) };
}

export const toNewProvider = (values: ProviderValues, isAddress: boolean): NewProvider => ({
  name: values.name.trim(), apiKeyRef: values.apiKeyRef, isActive: values.start === 'on', config: toConfig(values, isAddress), reason: orAbsent(values.reason),
});
