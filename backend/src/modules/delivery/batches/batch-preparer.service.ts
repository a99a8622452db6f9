import { Injectable } from '@nestjs/common';
import { Stopwatch } from '../../../shared/clock/stopwatch.js';
import type { ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import type { MailableContact, RecheckedContact } from '../../lists/index.js';
import { ProviderAccounts, type ReservedQuota } from '../../mail-accounts/index.js';
import { type Claim, DeliveryClaims } from './delivery-claims.service.js';
import { ConfiguredAccountRate } from '../throttling/configured-account-rate.service.js';
import { RecipientCheck } from './recipient-check.service.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { StartLog, type BatchStartRecord } from '../results/start-log.service.js';

/** Maximum pause in seconds for an account whose quota is used up. It is short because the limits may change. */
const MAX_HOLD_SECONDS = 15;
/** Number of batches over which the preparation time is averaged. */
const AVERAGED = 3;

type MadeFor = Parameters<RecipientCheck['judge']>[0] & { recipientCount: number };

export interface Marked {
  claim: Claim;
  /** Absent if the contact must no longer be mailed; `reason` says why. */
  contact?: MailableContact;
  reason?: string;
}

export interface PreparedBatch {
  marked: Marked[];
  /** The account whose daily quota this batch consumes. */
  reservedAccount: ReadyMessage['reservedAccount'];
  /** Returns the account's quota for messages that were not sent after all. */
  giveBackQuota: (messages: number) => Promise<void>;
  /** Time of the consent check, by performance.now(). */
  since: number;
  /** Started right before the messages were marked. */
  sinceMarked: Stopwatch;
  record?: BatchStartRecord;
  /** Claims that have to wait for their provider. */
  later: Claim[];
  /**
   * Claims left unmarked for another reason: the account's quota is used up, the send was stopped, another worker was
   * faster, or this worker shuts down.
   */
  undecided: Claim[];
}

/**
 * Prepares batches of claims: sets aside the claims that have to wait for their provider, then marks the others and
 * repeats their consent check in one statement.
 */
@Injectable()
export class BatchPreparer {
  /** Moving average of the time to prepare a batch. */
  private preparingMs = 0;
  private held?: { account: string; until: number };

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly throttles: ProviderThrottles,
    private readonly accounts: ProviderAccounts,
    private readonly rate: ConfiguredAccountRate,
    private readonly recipients: RecipientCheck,
    private readonly startLog: StartLog,
    private readonly tuning: DeliveryTuning,
  ) {}

  /** Ms until the account in use may have quota again; 0: it has quota now. */
  heldForMs(): number {
    return this.held && this.accounts.idOfFirst === this.held.account
      ? Math.max(0, this.held.until - performance.now())
      : 0;
  }

  get largest(): number {
    return this.rate.largestBatch(this.preparingMs);
  }

  /**
   * Prepares a batch. Checks consent right before the batch is dispatched, so that nobody who has just unsubscribed is
   * mailed.
   * @param isAdmitted whether the caller has already reserved rate limiter slots
   */
  async make(send: MadeFor, claims: Claim[], isAdmitted: boolean): Promise<PreparedBatch> {
    const { now, later } = isAdmitted ? { now: claims, later: [] } : await this.throttles.admit(claims, send.id);
    const quota = await this.accounts.reserveQuota(now.length);
    if (quota.granted < now.length)
      this.held = {
        account: quota.reservedAccount,
        until: performance.now() + Math.min(quota.pauseSeconds, MAX_HOLD_SECONDS) * 1000,
      };
    try {
      return { ...(await this.makeWithin(quota, send, now)), later };
    } catch (error) {
      await quota.giveBack(quota.granted);
      throw error;
    }
  }

  private async makeWithin(
    { granted, reservedAccount, giveBack }: ReservedQuota,
    send: MadeFor,
    now: Claim[],
  ): Promise<Omit<PreparedBatch, 'later'>> {
    const sendAt = await this.rate.take(reservedAccount, granted, {
      userId: send.userId,
      isSmall: send.recipientCount <= this.tuning.smallSend,
    });
    const admitted = sendAt === undefined ? [] : now.slice(0, granted);
    const startedAt = this.now();
    const { since, sinceMarked, found, record } = await this.mark(send, admitted);
    const ours = admitted.filter(({ id }) => found.has(id));
    const { mailable, skipped } = await this.judge(send, ours, found, record);
    if (admitted.length > 0) this.preparingMs += (this.now() - startedAt - this.preparingMs) / AVERAGED;
    const marked = ours.map((claim) => ({
      claim,
      contact: mailable.get(claim.contactId),
      reason: skipped.get(claim.contactId),
    }));
    const undecided = [
      ...now.slice(admitted.length),
      ...(ours.length < admitted.length ? admitted.filter(({ id }) => !found.has(id)) : []),
    ];
    // Waits only now. The batch was prepared while its send time approached, so that a slow database wastes no send
    // times.
    if (sendAt !== undefined) await this.rate.until(sendAt);
    await giveBack(granted - marked.filter(({ contact }) => contact).length);
    return { marked, reservedAccount, giveBackQuota: giveBack, since, sinceMarked, record, undecided };
  }

  /** Overridden by tests with a simulated clock. */
  protected now(): number {
    return performance.now();
  }

  /**
   * Marks claims and checks their consent in one statement.
   * @returns the consent answers for the claims that this worker marked, by claim id
   */
  private async mark(
    send: MadeFor,
    claims: Claim[],
  ): Promise<Pick<PreparedBatch, 'since' | 'sinceMarked' | 'record'> & { found: Map<string, RecheckedContact> }> {
    const record = claims.length > 0 ? this.startLog.open(claims) : undefined;
    const since = performance.now();
    const sinceMarked = new Stopwatch();
    if (claims.length === 0) return { since, sinceMarked, found: new Map() };
    try {
      const found = await this.claims.claim<RecheckedContact>(
        send.id,
        claims,
        this.recipients.questionSql(send, 'm.contact_id'),
        record?.claimToken,
      );
      return { since, sinceMarked, found, record };
    } catch (error) {
      // The statement may have marked the claims even though it failed.
      record?.close({ keep: true });
      throw error;
    }
  }

  /**
   * Decides from the consent answers who may be mailed. If that fails, nothing is sent and the marked claims are
   * released.
   */
  private async judge(
    send: MadeFor,
    ours: readonly Claim[],
    found: ReadonlyMap<string, RecheckedContact>,
    record?: BatchStartRecord,
  ): ReturnType<RecipientCheck['judge']> {
    try {
      return await this.recipients.judge(
        send,
        ours,
        [...found.values()].filter(({ contactId }) => contactId !== null),
      );
    } catch (error) {
      const isReleased = await this.claims.release(ours).then(
        () => true,
        () => false,
      );
      record?.close({ keep: !isReleased });
      throw error;
    }
  }
}
