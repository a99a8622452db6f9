import { Inject, Injectable, Logger } from '@nestjs/common';
import { storableText } from '../../../shared/database/storable-text.js';
import { BULK_TRANSPORT, type MailTransport, type ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { Claim, Settled } from '../delivery-claims.service.js';
import { MessageComposer } from '../message-composer.js';
import { RetrySchedule } from '../retry-schedule.js';
import { SendLane } from '../send-lane.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { LONGEST_RESPONSE, verdictOf, type SmtpFault, type Verdict } from '../smtp-verdict.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { providerLabel } from '../throttling/recipient-provider.js';
import { ResultWriter, type Submitter } from './result-writer.service.js';

/** A message that is being handed over. */
export interface HandedOver extends Submitter {
  readonly claim: Claim;
  /** When it was begun, by performance.now(). */
  readonly entered: number;
  /** The mail server has answered. */
  answered(): void;
  /** Nothing more becomes of it here. */
  end(): void;
}

/** Hands single messages to the mail server and has what became of them written down. */
@Injectable()
export class HandOver {
  private readonly log = new Logger(HandOver.name);
  private readonly queue: (() => void)[] = [];
  private taken = 0;

  constructor(
    private readonly composer: MessageComposer,
    private readonly schedule: RetrySchedule,
    private readonly lane: SendLane,
    private readonly throttles: ProviderThrottles,
    private readonly results: ResultWriter,
    private readonly tuning: SendingTuning,
    @Inject(BULK_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  /**
   * Takes a place in the window. A place is held until the message's result cannot be lost any more, so what a kill of this
   * worker can mail twice is less than the window: what the connections carry. @returns undefined where one was free at once
   */
  place(): Promise<void> | undefined {
    const { window } = this;
    if (this.taken >= window || this.results.isBehind(this.taken, window)) return this.waitForPlace();
    this.taken++;
    return undefined;
  }

  private async waitForPlace(): Promise<void> {
    await this.results.room(() => this.taken, this.window);
    if (this.taken < this.window) {
      this.taken++;
      return;
    }
    await new Promise<void>((free) => this.queue.push(free));
  }

  /** Enough that no connection waits for another's result. */
  private get window(): number {
    return Math.max(this.tuning.window, Math.ceil((this.transport.width ?? 0) * 1.5));
  }

  /** Uses a place; the flight is told of the answer, and of the row. */
  run(flight: HandedOver, message: ReadyMessage): void {
    const { claim } = flight;
    this.transport.send(message).then(
      ({ response, account }) => {
        this.throttles.took(claim);
        this.settle(flight, { ...keyOf(claim), status: 'sent', messageId: this.composer.messageId(claim.id), ...wentBy(claim, account), metadata: { response: storableText(response, LONGEST_RESPONSE), reason: null, class: null } });
      },
      async (error: SmtpFault) => {
        const verdict = verdictOf(error);
        if (verdict.kind === 'revoked') return this.settle(flight, { ...keyOf(claim), status: 'queued', pauseSeconds: 0 });
        await this.throttles.refusedOne(claim, verdict, performance.now() - flight.entered);
        this.settle(flight, { ...this.resultOf(claim, verdict), messageId: this.composer.messageId(claim.id), ...wentBy(claim, error.account) });
      },
    ).catch((error: unknown) => {
      // Its lease ends it.
      this.leave();
      this.log.error({ err: error }, 'a result could not be taken');
      flight.end();
    });
  }

  private settle(flight: HandedOver, result: Settled): void {
    flight.answered();
    this.results.write(result, flight, this.leave);
  }

  /** Gives a place back unused. */
  readonly leave = (): void => {
    const next = this.queue.shift();
    if (next) next();
    else this.taken--;
  };

  private resultOf(claim: Claim, verdict: Verdict): Settled {
    const { kind, retryAfterSeconds, ...metadata } = verdict;
    if (kind === 'permanent') return { ...keyOf(claim), status: 'failed', metadata };
    if (kind === 'lane') {
      this.lane.hold(verdict.reason, verdict.response ?? verdict.code);
      return { ...keyOf(claim), status: 'queued', pauseSeconds: this.tuning.holdSeconds };
    }
    if (kind === 'unknown') {
      if (claim.ambiguous >= this.tuning.ambiguousLimit) return { ...keyOf(claim), status: 'unconfirmed', ambiguous: true, metadata };
      const pauseSeconds = this.schedule.pauseAfter(claim.ambiguous + 1, 0)!;
      return { ...keyOf(claim), status: 'deferred', ambiguous: true, pauseSeconds, metadata };
    }
    const pauseSeconds = this.schedule.pauseAfter(claim.deferrals + 1, claim.secondsSinceFirst, retryAfterSeconds);
    if (pauseSeconds !== null) return { ...keyOf(claim), status: 'deferred', deferral: true, pauseSeconds, metadata };
    return { ...keyOf(claim), status: 'failed', deferral: true, metadata: { ...metadata, class: 'expired', reason: `Given up after repeated tries: ${verdict.reason}` } };
  }
}

/** Of thousands a second only those are told that went by another account than their rows name. */
const wentBy = ({ providerId }: Claim, account?: string): Pick<Settled, 'provider'> | undefined => (account && account !== providerId ? { provider: account } : undefined);

const keyOf = ({ id, attempt, provider }: Claim) => ({ id, attempt, lane: providerLabel(provider) });
