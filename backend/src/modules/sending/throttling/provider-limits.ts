import type { ProviderConfig } from '../providers/provider-config.js';

/** What a mailbox provider is given by an account. */
export interface ProviderLimit {
  /** Bound of the account's settings, messages a second over all workers; Infinity: none. */
  most: number;
  /** Rate to start with; absent: none, only what the provider's answers teach. */
  start?: number;
  /** Messages under way at a time, by each worker. */
  atOnce: number;
}

/** Of an account whose standing with the providers is not known. */
const START_PER_SECOND = 10;
const AT_ONCE: Record<string, number> = { yahoo: 20, microsoft: 50 };
const AT_ONCE_ELSEWHERE = 5;

export const NO_LIMIT: ProviderLimit = { most: Infinity, atOnce: Infinity };

/**
 * Limits before any answer. A relay paces itself: only what its owner set holds. A direct account, and any account while it is warmed
 * up, stands for an address of our own: it starts low and learns.
 */
export function providerLimit(provider: string, { kind, warmUp, domainMessagesPerSecond, domainConnections }: ProviderConfig): ProviderLimit {
  const cautious = kind === 'direct' || warmUp !== undefined;
  if (!cautious && domainMessagesPerSecond === undefined && domainConnections === undefined) return NO_LIMIT;
  return {
    most: domainMessagesPerSecond ?? Infinity,
    start: cautious && domainMessagesPerSecond === undefined ? START_PER_SECOND : undefined,
    atOnce: domainConnections ?? (cautious ? (AT_ONCE[provider] ?? AT_ONCE_ELSEWHERE) : Infinity),
  };
}
