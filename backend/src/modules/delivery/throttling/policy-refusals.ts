/** The send of a message. */
export interface Sender {
  sendId: string;
  /** Its account holder. */
  userId: string;
}

/** Consecutive policy refusals of one send after which its mail to the domain is held, and of a domain after which it is paused. */
const IN_A_ROW = 5;
/** Of a domain's row at most this many count for one account holder: no single one brings the domain to a pause for all. */
const MOST_OF_A_HOLDER = 3;
/** Limit of domains whose refusals are counted. */
const KEPT = 10_000;

interface Row {
  bySend: Map<string, number>;
  /** Since the domain last accepted a message of anybody. */
  byHolder: Map<string, number>;
}

/**
 * Counts consecutive policy refusals of each domain. Several from one account holder judge the content of that send; a row that more than
 * one account holder makes up judges us.
 */
export class PolicyRefusals {
  private readonly rows = new Map<string, Row>();

  /** @returns what to hold back now: this send's mail to the domain, all mail to the domain, or nothing */
  refused(domain: string, { sendId, userId }: Sender): 'send' | 'domain' | undefined {
    let row = this.rows.get(domain);
    if (!row) {
      if (this.rows.size >= KEPT) this.rows.clear();
      this.rows.set(domain, (row = { bySend: new Map(), byHolder: new Map() }));
    }
    const ofSend = (row.bySend.get(sendId) ?? 0) + 1;
    row.bySend.set(sendId, ofSend);
    row.byHolder.set(userId, (row.byHolder.get(userId) ?? 0) + 1);
    let ofDomain = 0;
    for (const count of row.byHolder.values()) ofDomain += Math.min(count, MOST_OF_A_HOLDER);
    if (ofDomain >= IN_A_ROW) return 'domain';
    return ofSend >= IN_A_ROW ? 'send' : undefined;
  }

  /** The domain accepted a message of the send, or judged its recipient and not us. */
  ended(domain: string, { sendId }: Sender): void {
    const row = this.rows.get(domain);
    if (!row) return;
    row.bySend.delete(sendId);
    row.byHolder.clear();
    if (row.bySend.size === 0) this.rows.delete(domain);
  }
}

/** Between a domain and a send; no domain has it. */
const OF_SEND = '/';

/** Name under which one send's mail to a domain is limited and waits on its own. */
export const heldName = (domain: string, sendId: string): string => `${domain}${OF_SEND}${sendId}`;

/** The domain of such a name; other names are returned unchanged. */
export const domainOfHeld = (name: string): string => name.split(OF_SEND, 1)[0]!;

/** The send of such a name. */
export const sendOfHeld = (name: string): string | undefined => name.split(OF_SEND, 2)[1];
