import { laneName } from './lane-names.js';
import type { ProviderConfig } from './providers/provider-config.js';

/** What one lane is given at most: messages a second over all workers, and messages on their way at a time by each. */
export interface LaneLimit {
  lane: string;
  perSecond: number;
  atOnce: number;
}

/** guide/email.md §6 */
const PER_SECOND = 10;
const AT_ONCE = 5;

/**
 * What a recipient domain is given by an account. The large mailbox providers, who count what a sender brings whoever relays it, get
 * the guide's defaults; so does every domain while the account is warmed up, for then it stands for a new address of our own. Another
 * account is a relay with lanes of its own, and only limits that its config names hold for all other domains.
 */
export function laneLimitOf(domain: string, config: ProviderConfig): LaneLimit | undefined {
  const { domainMessagesPerSecond, domainConnections, warmUp } = config;
  const large = laneName(domain);
  if (large === 'other' && domainMessagesPerSecond === undefined && domainConnections === undefined && !warmUp) return undefined;
  const byDefault = large !== 'other' || warmUp !== undefined;
  return {
    lane: large === 'other' ? domain : large,
    perSecond: domainMessagesPerSecond ?? (byDefault ? PER_SECOND : Infinity),
    atOnce: domainConnections ?? (byDefault ? AT_ONCE : Infinity),
  };
}
