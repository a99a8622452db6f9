import type { ProviderConfig } from '../../mail-accounts/index.js';

/** Limits of a mail account at one mailbox provider. */
export interface ProviderLimit {
  /** Limit from the account's settings, in messages per second over all workers; Infinity: none. */
  most: number;
  /** Initial rate, in messages per second; absent: only the provider's replies limit the rate. */
  start?: number;
  /** Maximum messages in flight at once, per worker. */
  concurrent: number;
}

/** Initial rate of an account whose reputation is unknown, in messages per second. */
const START_PER_SECOND = 10;
const CONCURRENT: Record<string, number> = { yahoo: 20, microsoft: 50 };
const CONCURRENT_ELSEWHERE = 5;

export const NO_LIMIT: ProviderLimit = { most: Infinity, concurrent: Infinity };

/**
 * Limits before the provider has replied. A relay does its own pacing, so only the account's settings apply. A direct
 * account, and any account during warm-up, sends from an address of our own, so it starts low and learns its rate.
 */
export function providerLimit(
  provider: string,
  { kind, warmUp, domainMessagesPerSecond, domainConnections }: ProviderConfig,
): ProviderLimit {
  const cautious = kind === 'direct' || warmUp !== undefined;
  if (!cautious && domainMessagesPerSecond === undefined && domainConnections === undefined) return NO_LIMIT;
  return {
    most: domainMessagesPerSecond ?? Infinity,
    start: cautious && domainMessagesPerSecond === undefined ? START_PER_SECOND : undefined,
    concurrent: domainConnections ?? (cautious ? (CONCURRENT[provider] ?? CONCURRENT_ELSEWHERE) : Infinity),
  };
}
