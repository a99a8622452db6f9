import { Inject, Injectable, Logger } from '@nestjs/common';
import { storableText } from '../../../shared/database/queries/storable-text.js';
import { BULK_TRANSPORT, type MailTransport, type ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import type { Claim } from './delivery-claims.service.js';
import type { DeliveryResult } from './delivery-result.js';
import { MessageComposer } from '../message/message-composer.js';
import { RetrySchedule } from '../retry-schedule.js';
import { OutboundCircuitBreaker } from '../outbound-circuit-breaker.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import {
  MAX_RESPONSE_LENGTH,
  verdictOf,
  type SmtpFault,
  type Verdict,
} from '../../../shared/mail/smtp/smtp-verdict.js';
import type { SendOfMessage } from '../throttling/policy-refusals.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { providerLabel } from '../throttling/recipient-provider.js';
import { ResultWriter, type Submitter } from '../results/result-writer.service.js';

/** A message that is being dispatched. */
export interface DispatchedMessage extends Submitter {
  readonly claim: Claim;
  readonly sender: SendOfMessage;
  /** Time of dispatch, by performance.now(). */
  readonly entered: number;
  /** Called when the mail server has answered. */
  answered(): void;
  /** Ends the message without a result. */
  end(): void;
}

/**
 * Sends single messages through the transport and passes their results to the ResultWriter. Never has more messages
 * without a stored result than the window allows.
 */
@Injectable()
export class MessageDispatcher {
  private readonly log = new Logger(MessageDispatcher.name);
  private readonly queue: (() => void)[] = [];
  private inUse = 0;

  constructor(
    private readonly composer: MessageComposer,
    private readonly schedule: RetrySchedule,
    private readonly breaker: OutboundCircuitBreaker,
    private readonly throttles: ProviderThrottles,
    private readonly results: ResultWriter,
    private readonly tuning: DeliveryTuning,
    @Inject(BULK_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  /**
   * Takes a window slot. A slot is held until the message's result can no longer be lost, so that killing this worker
   * duplicates fewer messages than the window holds.
   * @returns undefined if a slot was free at once
   */
  acquire(): Promise<void> | undefined {
    const { window } = this;
    if (this.inUse >= window || this.results.isBehind(this.inUse, window)) return this.waitForSlot();
    this.inUse++;
    return undefined;
  }

  private async waitForSlot(): Promise<void> {
    await this.results.room(() => this.inUse, this.window);
    if (this.inUse < this.window) {
      this.inUse++;
      return;
    }
    await new Promise<void>((free) => this.queue.push(free));
  }

  /**
   * Maximum messages without a stored result. Large enough that no connection has to wait for the result of another
   * one.
   */
  private get window(): number {
    return Math.max(this.tuning.window, Math.ceil((this.transport.width ?? 0) * 1.5));
  }

  /**
   * Sends one message, for which the caller holds a window slot. Tells the message when the SMTP reply has arrived and
   * when the result is written.
   */
  run(inFlight: DispatchedMessage, message: ReadyMessage): void {
    const { claim, sender } = inFlight;
    this.transport
      .send(message)
      .then(
        ({ response, account }) => {
          this.throttles.accepted(claim, sender);
          this.settle(inFlight, {
            ...keyOf(claim),
            status: 'sent',
            messageId: this.composer.messageId(claim.id),
            ...otherAccount(claim, account),
            metadata: { response: storableText(response, MAX_RESPONSE_LENGTH), reason: null, class: null },
          });
        },
        async (error: SmtpFault) => {
          const verdict = verdictOf(error);
          if (verdict.kind === 'revoked')
            return this.settle(inFlight, { ...keyOf(claim), status: 'queued', pauseSeconds: 0 });
          await this.throttles.refused(claim, sender, verdict, performance.now() - inFlight.entered);
          this.settle(inFlight, {
            ...this.resultOf(claim, verdict),
            messageId: this.composer.messageId(claim.id),
            ...otherAccount(claim, error.account),
          });
        },
      )
      .catch((error: unknown) => {
        // The delivery stays claimed until its lease ends.
        this.release();
        this.log.error({ err: error }, 'a result could not be recorded');
        inFlight.end();
      });
  }

  private settle(inFlight: DispatchedMessage, result: DeliveryResult): void {
    inFlight.answered();
    this.results.write(result, inFlight, this.release);
  }

  /** Releases a window slot. */
  readonly release = (): void => {
    const next = this.queue.shift();
    if (next) next();
    else this.inUse--;
  };

  private resultOf(claim: Claim, verdict: Verdict): DeliveryResult {
    const { kind, retryAfterSeconds, ...metadata } = verdict;
    if (kind === 'permanent') return { ...keyOf(claim), status: 'failed', metadata };
    if (kind === 'account') {
      this.breaker.hold(verdict.reason, verdict.response ?? verdict.code);
      return { ...keyOf(claim), status: 'queued', pauseSeconds: this.tuning.holdSeconds };
    }
    if (kind === 'unknown') {
      if (claim.ambiguous >= this.tuning.ambiguousLimit)
        return { ...keyOf(claim), status: 'unconfirmed', ambiguous: true, metadata };
      const pauseSeconds = this.schedule.pauseAfter(claim.ambiguous + 1, 0)!;
      return { ...keyOf(claim), status: 'deferred', ambiguous: true, pauseSeconds, metadata };
    }
    const pauseSeconds = this.schedule.pauseAfter(claim.deferrals + 1, claim.secondsSinceFirst, retryAfterSeconds);
    if (pauseSeconds !== null) return { ...keyOf(claim), status: 'deferred', deferral: true, pauseSeconds, metadata };
    return {
      ...keyOf(claim),
      status: 'failed',
      deferral: true,
      metadata: { ...metadata, class: 'expired', reason: `Given up after repeated tries: ${verdict.reason}` },
    };
  }
}

/**
 * @returns `usedAccountId` only if the account differs from the one in the row. This saves space, as thousands of
 * results per second are written
 */
const otherAccount = ({ accountId }: Claim, account?: string): Pick<DeliveryResult, 'usedAccountId'> | undefined =>
  account && account !== accountId ? { usedAccountId: account } : undefined;

const keyOf = ({ id, attempt, provider }: Claim) => ({ id, attempt, providerLabel: providerLabel(provider) });
