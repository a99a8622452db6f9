import type { MailableContact } from '../../lists/index.js';
import type { ConsentAnswer } from './consent-changes.js';
import type { Claim, Settled } from '../delivery-claims.service.js';
import type { PreparedMessages } from '../prepared-message.js';
import type { MadeGroup } from './group-maker.service.js';
import type { UnderWay } from './under-way.js';

/** Who hands groups over. */
export interface FlightControl {
  answered(flight: Flight): void;
  introduced(contactId: string): Promise<void>;
  isCurrent(answer: ConsentAnswer): boolean;
  closed(group: Group): void;
}

/** What all messages of a group have in common. */
interface Common extends Omit<MadeGroup, 'marked'> {
  messages: PreparedMessages;
  sendId: string;
  underWay: UnderWay;
  /** Tokens of the sender and of the send. */
  tokens: readonly string[];
}

/** A marked message. One object for all that becomes of it: thousands a second wait for their rows. */
export class Flight implements ConsentAnswer {
  /** Its result is on its way. */
  isBegun = false;
  /** It is not ours any more. */
  isOver = false;
  /** When it was begun, by performance.now(); what it gives its provider's slot back by. */
  entered = 0;
  readonly tokens: readonly string[];
  private introduces?: string;

  constructor(
    readonly claim: Claim,
    readonly group: Group,
    /** Until its message is made. */
    private contact?: MailableContact,
  ) {
    this.tokens = contact ? [contact.consentToken, `l:${claim.emailListId}`, ...group.common.tokens] : group.common.tokens;
  }

  get since(): number {
    return this.group.common.since;
  }

  /** Whether consent has to be asked for again before it may leave. */
  get isRevoked(): boolean {
    return !this.group.control.isCurrent(this);
  }

  /** Neither begun nor given back. */
  get isUnused(): boolean {
    return !this.isBegun && !this.isOver;
  }

  /** Begins it. @returns whom the message is made for */
  begin(): MailableContact | undefined {
    const { contact } = this;
    this.contact = undefined;
    if (contact?.introductionDue) this.introduces = contact.contactId;
    this.isBegun = true;
    this.group.begin();
    return contact;
  }

  /** The mail server has answered. */
  answered(): void {
    this.group.control.answered(this);
  }

  /** The row has the result. */
  written({ status }: Pick<Settled, 'status'>): void {
    if (this.introduces === undefined || status !== 'sent') return this.end();
    void this.group.control.introduced(this.introduces).finally(() => this.end());
  }

  end(): void {
    this.isOver = true;
    this.group.end();
  }
}

/** Messages that are marked and handed over together. */
export class Group {
  readonly flights: Flight[] = [];
  /** Whether the rows of all that was not begun say so. */
  isGivenBack = false;
  /** Taken out because consent changed; still to be given back. */
  readonly revoked: Flight[] = [];
  /** Those whose result is on its way, and one for the hand-over itself. */
  private left = 1;

  constructor(
    readonly common: Common,
    readonly control: FlightControl,
  ) {}

  get unused(): Flight[] {
    return this.flights.filter((flight) => flight.isUnused);
  }

  /** Takes a message that was not begun out of the group. */
  revoke(flight: Flight): void {
    flight.isOver = true;
    this.revoked.push(flight);
  }

  begin(): void {
    this.left++;
    this.common.underWay.begin();
  }

  end(): void {
    this.leave();
    this.common.underWay.end();
  }

  /** The hand-over itself, or one of its messages, has ended. */
  leave(): void {
    if (--this.left === 0) this.control.closed(this);
  }
}
