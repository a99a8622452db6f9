/** Identifies the send that a message belongs to. */
export interface SendOfMessage {
  sendId: string;
  /** Id of the user who sends it. */
  userId: string;
}

/**
 * Number of consecutive policy refusals after which a send's mail to the domain is held back, or all mail to the domain
 * is paused.
 */
const REFUSALS_IN_A_ROW = 5;
/**
 * Maximum refusals of one account holder that count towards a domain's pause, so that a single holder cannot pause the
 * domain for everyone.
 */
const MAX_REFUSALS_OF_HOLDER = 3;
/** Ms after which a refusal is forgotten if no other one followed. */
const KEPT_MS = 600_000;
/** Maximum domains whose refusals are counted, and maximum sends and account holders per domain. */
const MAX_DOMAINS = 10_000;
const MAX_REFUSALS_OF_DOMAIN = 1_000;

/**
 * Counts consecutive refusals per name. The most recently refused name is last. Forgets names without a refusal
 * for KEPT_MS, and the oldest names if there are too many.
 */
class ConsecutiveRefusals {
  private readonly rows = new Map<string, { count: number; at: number }>();

  get size(): number {
    return this.rows.size;
  }

  /** @returns the number of consecutive refusals of this name */
  add(name: string, now: number): number {
    this.forget(now);
    const count = (this.rows.get(name)?.count ?? 0) + 1;
    this.delete(name);
    this.rows.set(name, { count, at: now });
    return count;
  }

  /** Sum over all names, where each name counts at most `most`. */
  sum(most: number): number {
    let sum = 0;
    for (const { count } of this.rows.values()) sum += Math.min(count, most);
    return sum;
  }

  delete(name: string): void {
    this.rows.delete(name);
  }

  clear(): void {
    this.rows.clear();
  }

  private forget(now: number): void {
    for (const [name, { at }] of this.rows) {
      if (now - at <= KEPT_MS && this.rows.size < MAX_REFUSALS_OF_DOMAIN) return;
      this.rows.delete(name);
    }
  }
}

interface Domain {
  bySend: ConsecutiveRefusals;
  /** Refusals per account holder since the domain last accepted a message from anybody. */
  byHolder: ConsecutiveRefusals;
  at: number;
}

/**
 * Counts consecutive policy refusals per domain. If all of them belong to one account holder, the domain objects to the
 * content of the send; if they belong to several, it objects to us.
 */
export class PolicyRefusals {
  /** Refusal counts per domain, the most recently refused domain last. */
  private readonly domains = new Map<string, Domain>();

  /** Number of sends with a count, over all domains. */
  get size(): number {
    let size = 0;
    for (const { bySend } of this.domains.values()) size += bySend.size;
    return size;
  }

  /**
   * Records a policy refusal.
   * @param now ms of a monotonic clock
   * @returns what to hold back now: this send's mail to the domain, all mail to the domain, or nothing
   */
  refused(domain: string, { sendId, userId }: SendOfMessage, now = performance.now()): 'send' | 'domain' | undefined {
    this.forget(now);
    const found = this.domains.get(domain) ?? {
      bySend: new ConsecutiveRefusals(),
      byHolder: new ConsecutiveRefusals(),
      at: now,
    };
    found.at = now;
    this.domains.delete(domain);
    this.domains.set(domain, found);
    const ofSend = found.bySend.add(sendId, now);
    found.byHolder.add(userId, now);
    if (found.byHolder.sum(MAX_REFUSALS_OF_HOLDER) >= REFUSALS_IN_A_ROW) return 'domain';
    return ofSend >= REFUSALS_IN_A_ROW ? 'send' : undefined;
  }

  /** Resets the counts: the domain accepted a message of the send, or rejected a recipient rather than our mail. */
  ended(domain: string, { sendId }: SendOfMessage): void {
    const found = this.domains.get(domain);
    if (!found) return;
    found.bySend.delete(sendId);
    found.byHolder.clear();
    if (found.bySend.size === 0) this.domains.delete(domain);
  }

  private forget(now: number): void {
    for (const [domain, { at }] of this.domains) {
      if (now - at <= KEPT_MS && this.domains.size < MAX_DOMAINS) return;
      this.domains.delete(domain);
    }
  }
}

/** Separator between a domain and the id of a send. No domain contains it. */
const OF_SEND = '/';

/** Name under which one send's mail to a domain is limited and waits separately. */
export const heldName = (domain: string, sendId: string): string => `${domain}${OF_SEND}${sendId}`;

/** The domain in a result of `heldName`; other names are returned unchanged. */
export const domainOfHeld = (name: string): string => name.split(OF_SEND, 1)[0]!;

/** @returns the id of the send in a result of `heldName`; undefined for other names */
export const sendOfHeld = (name: string): string | undefined => name.split(OF_SEND, 2)[1];
