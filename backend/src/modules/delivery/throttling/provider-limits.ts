import type { ProviderConfig } from '../../mail-accounts/index.js';

/** Limits of an account at one mailbox provider. */
export interface ProviderLimit {
  /** Upper bound from the account's settings, in messages a second over all workers; Infinity: none. */
  most: number;
  /** Initial rate; absent: none, only the provider's replies limit it. */
  start?: number;
  /** Messages in flight at once, per worker. */
  concurrent: number;
}

/** Initial rate of an account without a known reputation. */
const START_PER_SECOND = 10;
const CONCURRENT: Record<string, number> = { yahoo: 20, microsoft: 50 };
const CONCURRENT_ELSEWHERE = 5;

export const NO_LIMIT: ProviderLimit = { most: Infinity, concurrent: Infinity };

/**
 * Limits before any reply. A relay paces itself, so only its owner's settings apply. A direct account, and any account
 * during warm-up, sends from an address of our own: it starts low and learns.
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
