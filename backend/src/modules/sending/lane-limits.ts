import { laneName } from './lane-names.js';
import type { ProviderConfig } from './providers/provider-config.js';

/** What one lane is given at most: messages a second over all workers, and messages on their way at a time by each. */
export interface LaneLimit {
  lane: string;
  perSecond: number;
  atOnce: number;
}

/** Of a direct account and of one that is warmed up, until the provider's own answers are known. */
const PER_SECOND = 10;
const AT_ONCE: Record<string, number> = { yahoo: 20, microsoft: 50 };
const AT_ONCE_ELSEWHERE = 5;

/**
 * What a mailbox provider, or a domain of its own, is given by an account. A relay paces itself: only limits that its config names hold.
 * A direct account, and any account while it is warmed up, stands for an address of our own and starts with the defaults.
 */
export function laneLimitOf(domain: string, config: ProviderConfig): LaneLimit | undefined {
  const { kind, domainMessagesPerSecond, domainConnections, warmUp } = config;
  const byDefault = kind === 'direct' || warmUp !== undefined;
  if (!byDefault && domainMessagesPerSecond === undefined && domainConnections === undefined) return undefined;
  const large = laneName(domain);
  return {
    lane: large === 'other' ? domain : large,
    perSecond: domainMessagesPerSecond ?? (byDefault ? PER_SECOND : Infinity),
    atOnce: domainConnections ?? (byDefault ? (AT_ONCE[large] ?? AT_ONCE_ELSEWHERE) : Infinity),
  };
}
