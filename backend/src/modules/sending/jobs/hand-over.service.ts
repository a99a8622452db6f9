import { Inject, Injectable } from '@nestjs/common';
import { BULK_TRANSPORT, type MailTransport, type ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { Claim, Settled } from '../delivery-claims.service.js';
import { DomainLanes } from '../domain-lanes.service.js';
import { laneName } from '../lane-names.js';
import { MessageComposer } from '../message-composer.js';
import { RetrySchedule } from '../retry-schedule.js';
import { SendLane } from '../send-lane.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { verdictOf, type SmtpFault, type Verdict } from '../smtp-verdict.js';
import { ResultWriter } from './result-writer.service.js';

/** Hands single messages to the mail server and has what became of them written down. */
@Injectable()
export class HandOver {
  private readonly queue: (() => void)[] = [];
  private taken = 0;

  constructor(
    private readonly composer: MessageComposer,
    private readonly schedule: RetrySchedule,
    private readonly lane: SendLane,
    private readonly lanes: DomainLanes,
    private readonly results: ResultWriter,
    private readonly tuning: SendingTuning,
    @Inject(BULK_TRANSPORT) private readonly transport: MailTransport,
  ) {}

  /**
   * Waits for a place in the window. A place is held until the message's result cannot be lost any more, so what a kill of this
   * worker can mail twice is less than the window: what the connections carry.
   */
  async place(): Promise<void> {
    // Enough that no connection waits for another's result.
    const window = Math.max(this.tuning.window, Math.ceil((this.transport.width ?? 0) * 1.5));
    await this.results.room(() => this.taken, window);
    if (this.taken < window) {
      this.taken++;
      return;
    }
    await new Promise<void>((free) => this.queue.push(free));
  }

  /** Uses a place; `answered` is called when the server has answered. @returns the result, once it is written; never rejects */
  run(claim: Claim, message: ReadyMessage, answered: () => void): Promise<Settled> {
    return this.handOver(claim, message).then(async (result) => {
      answered();
      await this.results.write(result, this.leave);
      return result;
    });
  }

  /** Gives a place back unused. */
  readonly leave = (): void => {
    const next = this.queue.shift();
    if (next) next();
    else this.taken--;
  };

  private async handOver(claim: Claim, message: ReadyMessage): Promise<Settled> {
    const messageId = this.composer.messageId(claim.id);
    try {
      const { response, account } = await this.transport.send(message);
      this.lanes.took(claim.domain);
      return { ...keyOf(claim), status: 'sent', messageId, ...wentBy(claim, account), metadata: { response, reason: null, class: null } };
    } catch (error) {
      const verdict = verdictOf(error as SmtpFault);
      await this.lanes.refusedOne(claim.domain, verdict);
      return { ...this.resultOf(claim, verdict), messageId, ...wentBy(claim, (error as SmtpFault).account) };
    }
  }

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

const keyOf = ({ id, attempt, domain }: Claim) => ({ id, attempt, lane: laneName(domain) });
