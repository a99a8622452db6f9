/** The send of a message. */
export interface SendOfMessage {
  sendId: string;
  /** Its account holder. */
  userId: string;
}

/**
 * Number of consecutive policy refusals after which a send's mail to the domain is held, or all mail to the domain is
 * paused.
 */
const REFUSALS_IN_A_ROW = 5;
/**
 * Most refusals of one account holder that count towards a domain's pause, so that a single holder cannot pause a
 * domain for all.
 */
const MAX_REFUSALS_OF_HOLDER = 3;
/** Ms after which a refusal is forgotten where no other one followed. */
const KEPT_MS = 600_000;
/** Most domains whose refusals are counted, and most sends and account holders of one domain. */
const MAX_DOMAINS = 10_000;
const MAX_REFUSALS_OF_DOMAIN = 1_000;

/**
 * Counts consecutive refusals by name; the most recently refused name is last. Forgets names without a refusal for
 * KEPT_MS, and beyond the limit the oldest ones.
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

  /** Sum over all names, each counted up to `most`. */
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
  /** Refusals by account holder since the domain last accepted a message of anybody. */
  byHolder: ConsecutiveRefusals;
  at: number;
}

/**
 * Counts consecutive policy refusals of each domain. Where one account holder has them all, the domain objects to the
 * content of that send. Where several have them, it objects to us.
 */
export class PolicyRefusals {
  /** The most recently refused domain is last. */
  private readonly domains = new Map<string, Domain>();

  /** Number of counts that are kept. */
  get size(): number {
    let size = 0;
    for (const { bySend } of this.domains.values()) size += bySend.size;
    return size;
  }

  /**
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

  /** The domain accepted a message of the send, or judged its recipient and not us. */
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

/** Separates a domain from the id of a send; no domain contains it. */
const OF_SEND = '/';

/** Name under which one send's mail to a domain is limited and waits on its own. */
export const heldName = (domain: string, sendId: string): string => `${domain}${OF_SEND}${sendId}`;

/** The domain of such a name; other names are returned unchanged. */
export const domainOfHeld = (name: string): string => name.split(OF_SEND, 1)[0]!;

/** The send of such a name. */
export const sendOfHeld = (name: string): string | undefined => name.split(OF_SEND, 2)[1];
