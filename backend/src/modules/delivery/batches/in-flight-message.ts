import type { Stopwatch } from '../../../shared/clock/stopwatch.js';
import type { MessageGate } from '../../../shared/mail/smtp/bulk-transport.js';
import type { MailableContact } from '../../lists/index.js';
import type { ConsentAnswer } from './consent-changes.js';
import type { Claim } from './delivery-claims.service.js';
import type { DeliveryResult } from './delivery-result.js';
import type { PreparedMessages } from '../message/prepared-message.js';
import type { SendOfMessage } from '../throttling/policy-refusals.js';
import type { PreparedBatch } from './batch-preparer.service.js';

/** Callbacks into the service that dispatches batches. */
export interface InFlightControl {
  answered(inFlight: InFlightMessage): void;
  introduced(contactId: string): Promise<void>;
  isCurrent(answer: ConsentAnswer): boolean;
  closed(batch: Batch): void;
}

/** Properties that all messages of a batch share. */
interface Common extends Omit<PreparedBatch, 'marked'> {
  messages: PreparedMessages;
  /** The attached files, encoded once for all messages of the send; absent: none. */
  tail?: Buffer;
  sender: SendOfMessage;
  underWay: PendingCounter;
  /** Consent tokens of the sender and of the send. */
  tokens: readonly string[];
  /** Whether the messages are spread over the slots of a rate limiter. */
  isPaced: boolean;
}

/**
 * A marked message from its claim to its written result. A single object holds all its state, because thousands of
 * messages per second pass through.
 */
export class InFlightMessage implements ConsentAnswer, MessageGate {
  /** Whether the message was dispatched. Its result may still be outstanding. */
  isBegun = false;
  /** Whether this worker no longer owns the message. */
  isOver = false;
  /** Time of dispatch, by performance.now(); also the key of the message's connection slot. */
  entered = 0;
  readonly tokens: readonly string[];
  private introduces?: string;

  constructor(
    readonly claim: Claim,
    readonly batch: Batch,
    /** Present until the message is composed. */
    private contact?: MailableContact,
  ) {
    this.tokens = contact
      ? [contact.consentToken, `l:${claim.emailListId}`, ...batch.common.tokens]
      : batch.common.tokens;
  }

  get since(): number {
    return this.batch.common.since;
  }

  get sender(): SendOfMessage {
    return this.batch.common.sender;
  }

  get isPaced(): boolean {
    return this.batch.common.isPaced;
  }

  /** Whether the message may not leave before it is claimed again, or its consent checked again. */
  get isRevoked(): boolean {
    return this.isLost || !this.batch.control.isCurrent(this);
  }

  get isLost(): boolean {
    return this.batch.isLeaseOver;
  }

  /** Whether the message was neither dispatched nor released. */
  get isUnused(): boolean {
    return !this.isBegun && !this.isOver;
  }

  /**
   * Marks the message as dispatched.
   * @returns the recipient that the message is composed for
   */
  begin(): MailableContact | undefined {
    const { contact } = this;
    this.contact = undefined;
    if (contact?.introductionDue) this.introduces = contact.contactId;
    this.isBegun = true;
    this.batch.begin();
    return contact;
  }

  /** Called when the mail server has answered. */
  answered(): void {
    this.batch.control.answered(this);
  }

  /** Called when the result is written to the row. */
  written({ status }: Pick<DeliveryResult, 'status'>): void {
    if (status === 'queued') this.batch.returned++;
    if (this.introduces === undefined || status !== 'sent') return this.end();
    void this.batch.control.introduced(this.introduces).finally(() => this.end());
  }

  end(): void {
    this.isOver = true;
    this.batch.end();
  }
}

/** Messages that are marked and dispatched together. */
export class Batch {
  readonly messages: InFlightMessage[] = [];
  /** Started right before the rows' leases were last renewed, at first before the rows were marked. */
  sinceLeased: Stopwatch;
  /** Length of a lease in ms. */
  leaseMs = Infinity;
  /** True once all unsent rows of the batch were released in the database. */
  isReleased = false;
  /** Messages whose consent changed and that still have to be released. */
  readonly revoked: InFlightMessage[] = [];
  /**
   * Number of begun messages that went back to the queue, because the mail account failed or consent changed at the
   * last moment.
   */
  returned = 0;
  /** Number of outstanding results, plus one for the dispatching itself. */
  private left = 1;

  constructor(
    readonly common: Common,
    readonly control: InFlightControl,
  ) {
    this.sinceLeased = common.sinceMarked;
  }

  /**
   * Whether the leases of the rows may have ended. From then on, no message may leave, because another worker may have
   * taken the messages over.
   */
  get isLeaseOver(): boolean {
    return this.sinceLeased.ms > this.leaseMs;
  }

  get unused(): InFlightMessage[] {
    return this.messages.filter((inFlight) => inFlight.isUnused);
  }

  /** Number of messages that did not use the mail account's quota. */
  get unsentCount(): number {
    return this.messages.filter(({ isBegun }) => !isBegun).length + this.returned;
  }

  /**
   * The first message from this index on whose provider has a free connection. Takes messages with revoked consent out
   * of the batch.
   */
  nextReady(from: number, hasRoom: (provider: string) => boolean): InFlightMessage | undefined {
    for (let at = from; at < this.messages.length; at++) {
      const inFlight = this.messages[at]!;
      if (!inFlight.isUnused) continue;
      if (inFlight.isRevoked) this.revoke(inFlight);
      else if (hasRoom(inFlight.claim.provider)) return inFlight;
    }
    return undefined;
  }

  /** Takes an unsent message out of the batch. */
  private revoke(inFlight: InFlightMessage): void {
    inFlight.isOver = true;
    this.revoked.push(inFlight);
  }

  begin(): void {
    this.left++;
    this.common.underWay.begin();
  }

  end(): void {
    this.leave();
    this.common.underWay.end();
  }

  /** Called when the dispatching or one of the messages has ended. */
  leave(): void {
    if (--this.left === 0) this.control.closed(this);
  }
}

/** Wait group: counts pending messages and resolves when the last one is settled. */
export class PendingCounter {
  /** Total number of begun messages. */
  begun = 0;
  private count = 0;
  private readonly waiting: (() => void)[] = [];

  begin(): void {
    this.begun++;
    this.count++;
  }

  end(): void {
    if (--this.count === 0) for (const go of this.waiting.splice(0)) go();
  }

  /** Resolves when nothing is pending. */
  async ended(): Promise<void> {
    if (this.count > 0) await new Promise<void>((go) => this.waiting.push(go));
  }
}
