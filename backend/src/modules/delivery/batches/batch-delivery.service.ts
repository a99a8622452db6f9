import { setTimeout as pause } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import type { LoadedSend } from './send-loader.service.js';
import type { Claim } from './delivery-claims.service.js';
import type { DeliveryResult } from './delivery-result.js';
import { MessageComposer } from '../message/message-composer.js';
import { PreparedSends } from '../message/prepared-sends.js';
import { OutboundCircuitBreaker } from '../outbound-circuit-breaker.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import type { Pacer } from '../throttling/pacer.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { providerLabel } from '../throttling/recipient-provider.js';
import { type ConsentAnswer, ConsentChanges } from './consent-changes.js';
import { InFlightMessage, type InFlightControl, Batch, type PendingCounter } from './in-flight-message.js';
import { BatchAttachments } from './batch-attachments.service.js';
import { BatchLeases } from './batch-leases.service.js';
import { BatchPreparer } from './batch-preparer.service.js';
import { BatchSize, MAX_BATCH_MESSAGES } from './batch-size.js';
import { IntroductionRecorder } from './introduction-recorder.service.js';
import { MessageDispatcher } from './message-dispatcher.service.js';
import { ResultWriter } from '../results/result-writer.service.js';
import { UnsentMessages } from './unsent-messages.service.js';

/** Maximum age of the consent check when a message leaves, in ms; half a lease if that is shorter. */
const FRESH_MS = 10_000;
/**
 * Ms that a batch waits for free connections to a provider. After that, the messages move to the provider's backlog,
 * and later messages to the provider do not wait.
 */
const SLOT_PATIENCE_MS = 500;
/** Longest sleep between two messages of a paced batch, in ms, so that a halt is noticed soon. */
const PACED_MS = 50;

/** Outcome of delivering claims. */
export interface Delivered {
  /** Claims that wait for their provider; their rows were not marked. */
  parked: Claim[];
  /** Position of the first claim that was left unprocessed; Infinity: none was. */
  undecidedFrom: number;
}

/**
 * Delivers claims in batches: repeats the consent check, marks the rows, composes the messages and dispatches them.
 * Prepares the next batch while one is dispatched, unless the mail server is slow. Never sends a message whose row it
 * has not marked.
 */
@Injectable()
export class BatchDelivery implements InFlightControl {
  private readonly prepared: PreparedSends;
  private readonly size: BatchSize;

  constructor(
    private readonly preparer: BatchPreparer,
    composer: MessageComposer,
    private readonly breaker: OutboundCircuitBreaker,
    private readonly throttles: ProviderThrottles,
    private readonly unsent: UnsentMessages,
    private readonly leases: BatchLeases,
    private readonly introductions: IntroductionRecorder,
    private readonly dispatcher: MessageDispatcher,
    private readonly results: ResultWriter,
    private readonly consent: ConsentChanges,
    private readonly tuning: DeliveryTuning,
    private readonly attachments: BatchAttachments,
  ) {
    this.size = new BatchSize(tuning.parallel);
    this.prepared = new PreparedSends(composer);
  }

  /** True while nothing new may start, because results cannot be written. */
  get isInTrouble(): boolean {
    return this.results.inTrouble;
  }

  /**
   * Resolves when every message was dispatched or left to other workers. `underWay` counts the messages whose results
   * are not written yet.
   * @throws AttachmentsUnavailable if the attached files cannot be read; no row of that batch is marked
   * @param pacer send times that the caller reserved for these claims; absent: they are reserved here
   */
  async deliver(
    send: LoadedSend,
    claims: Claim[],
    stopping: () => boolean,
    underWay: PendingCounter,
    pacer?: Pacer,
  ): Promise<Delivered> {
    let taken = 0;
    const batches: Batch[] = [];
    const halted = (): boolean => stopping() || this.breaker.heldForMs() > 0 || this.isInTrouble;
    const next = async (): Promise<Batch | null> => {
      if (taken >= claims.length || halted() || this.preparer.heldForMs() > 0) return null;
      const part = claims.slice(
        taken,
        taken + Math.min(pacer?.isPaced ? MAX_BATCH_MESSAGES : this.size.messages, this.preparer.largest),
      );
      const batch = await this.prepare(send, part, underWay, pacer);
      taken += part.length;
      batches.push(batch);
      return batch;
    };
    let coming: Promise<Batch | null> = next();
    try {
      for (let batch = await coming; batch !== null; batch = await coming) {
        coming = NONE;
        const started = performance.now();
        const quick = pacer?.isPaced || this.size.isAboveMinimum;
        if (quick) (coming = next()).catch(() => undefined);
        await this.dispatchAll(batch, halted, pacer);
        if (!pacer?.isPaced)
          this.size.adapt(batch.messages.filter(({ isBegun }) => isBegun).length, performance.now() - started);
        if (!quick) coming = next();
      }
    } finally {
      // After any error, releases the marked messages that were not begun. If the database does not answer, workers can
      // claim these messages again once their leases have ended.
      const unused = await coming.catch(() => undefined);
      const isReleased = await this.unsent.release(batches.flatMap((batch) => batch.unused));
      if (unused) {
        unused.isReleased = isReleased;
        unused.leave();
      }
    }
    let undecidedFrom = claims[taken]?.position ?? Infinity;
    for (const { common } of batches)
      for (const { position } of common.undecided) undecidedFrom = Math.min(undecidedFrom, position);
    return { parked: batches.flatMap(({ common }) => common.later), undecidedFrom };
  }

  private async prepare(send: LoadedSend, claims: Claim[], underWay: PendingCounter, pacer?: Pacer): Promise<Batch> {
    // The attached files are read before any row is marked, so that the rows stay unchanged if reading fails.
    const { tail, withdrawal } = send.attached ? await this.attachments.of(send.id) : {};
    const checked = withdrawal ? { ...send, withdrawal } : send;
    const { marked, ...made } = await this.preparer.make(checked, claims, pacer !== undefined);
    const batch = new Batch(
      {
        ...made,
        messages: this.prepared.of(send),
        tail,
        sender: { sendId: send.id, userId: send.userId },
        underWay,
        tokens: [`u:${send.userId}`, `s:${send.id}`],
        isPaced: pacer?.isPaced ?? false,
      },
      this,
    );
    this.leases.hold(batch);
    for (const { claim, contact, reason } of marked) {
      const inFlight = new InFlightMessage(claim, batch, contact);
      batch.messages.push(inFlight);
      if (!contact) this.conclude(inFlight, reason);
    }
    return batch;
  }

  private async dispatchAll(batch: Batch, halted: () => boolean, pacer?: Pacer): Promise<void> {
    try {
      const isReleased = await this.dispatchInOrder(batch, halted, pacer);
      batch.isReleased = (await this.unsent.release(batch.revoked, 0)) && isReleased;
    } finally {
      // Lets recovery read the record, even this worker's own, while the begun messages still wait for their replies.
      if (!batch.isReleased) this.leases.closeRecord(batch);
      batch.leave();
    }
  }

  /**
   * Dispatches the messages in order. A message whose provider has no free connection lets others pass, and moves to
   * the backlog after a while. A message whose provider's rate was cut moves to the backlog too. Messages with an
   * outdated consent check are released.
   * @returns false if a release failed
   */
  private async dispatchInOrder(batch: Batch, halted: () => boolean, pacer?: Pacer): Promise<boolean> {
    const { messages } = batch;
    const { record, since, sender } = batch.common;
    const freshUntil = since + Math.min(FRESH_MS, this.tuning.leaseSeconds * 500);
    const started = performance.now();
    let stuckSince = 0;
    let first = 0;
    let cutsSeen = 0;
    let isReleased = true;
    for (;;) {
      if (cutsSeen !== this.throttles.cutCount) {
        cutsSeen = this.throttles.cutCount;
        const cut = batch.unused.filter(({ claim }) => this.throttles.isCutSince(claim, since, sender.sendId));
        isReleased = (await this.unsent.park(cut)) && isReleased;
      }
      while (first < messages.length && !messages[first]!.isUnused) first++;
      if (first === messages.length) return isReleased;
      const early = pacer ? pacer.waitMs() : 0;
      if (early >= 1 && !halted()) {
        await pause(Math.min(early, PACED_MS));
        continue;
      }
      const wait = this.dispatcher.acquire();
      if (wait) await wait;
      const next =
        cutsSeen === this.throttles.cutCount
          ? batch.nextReady(first, (provider) => this.throttles.hasRoom(provider))
          : undefined;
      if (halted() || performance.now() > Math.min(freshUntil, this.consent.goodUntil(since, started))) {
        this.dispatcher.release();
        return (await this.unsent.release(batch.unused)) && isReleased;
      }
      if (next) {
        stuckSince = 0;
        record?.begin(next.claim.id);
        pacer?.take();
        this.composeAndSend(next);
        continue;
      }
      this.dispatcher.release();
      if (cutsSeen !== this.throttles.cutCount) continue;
      const waiting = batch.unused;
      stuckSince ||= performance.now();
      const isStuck = performance.now() - stuckSince > SLOT_PATIENCE_MS;
      const stalled = isStuck ? waiting : waiting.filter(({ claim }) => this.throttles.isStalled(claim.provider));
      if (isStuck) for (const { claim } of waiting) this.throttles.stalled(claim.provider);
      if (stalled.length > 0) isReleased = (await this.unsent.park(stalled)) && isReleased;
      else if (waiting.length > 0) await pause(10);
    }
  }

  /**
   * Composes the message just before it is sent, and keeps no reference to it while its result waits to be written,
   * because hundreds of messages take megabytes. If a message cannot be composed, only that message fails.
   */
  private composeAndSend(inFlight: InFlightMessage): void {
    const { claim } = inFlight;
    const { messages: prepared, tail } = inFlight.batch.common;
    const recipient = { ...inFlight.begin()!, deliveryId: claim.id, emailListId: claim.emailListId };
    inFlight.entered = this.throttles.enter(claim.provider);
    try {
      if (prepared.needsTail && !tail) throw new Error('the attached files are missing');
      const message = prepared.forNow(recipient);
      if (message) this.run(inFlight, message);
      else
        void prepared
          .for(recipient)
          .then((made) => this.run(inFlight, made))
          .catch((error: Error) => this.notComposed(inFlight, error));
    } catch (error) {
      this.notComposed(inFlight, error as Error);
    }
  }

  private run(inFlight: InFlightMessage, message: ReadyMessage): void {
    const { reservedAccount, tail } = inFlight.batch.common;
    message.reservedAccount = reservedAccount;
    if (tail) message.tail = tail;
    message.gate = inFlight;
    this.dispatcher.run(inFlight, message);
  }

  private notComposed(inFlight: InFlightMessage, { message }: Error): void {
    this.answered(inFlight);
    this.dispatcher.release();
    this.write(inFlight, {
      status: 'failed',
      metadata: { class: 'content', reason: 'The message could not be made', response: message },
    });
  }

  private conclude(inFlight: InFlightMessage, reason?: string): void {
    inFlight.begin();
    this.write(inFlight, { status: 'skipped', metadata: { reason } });
  }

  private write(inFlight: InFlightMessage, result: Pick<DeliveryResult, 'status' | 'metadata'>): void {
    const { id, attempt, provider } = inFlight.claim;
    this.results.write({ id, attempt, providerLabel: providerLabel(provider), ...result }, inFlight);
  }

  answered({ claim: { provider }, entered }: InFlightMessage): void {
    this.throttles.leave(provider, entered);
  }

  introduced(contactId: string): Promise<void> {
    return this.introductions.add(contactId);
  }

  closed(batch: Batch): void {
    this.leases.end(batch);
    void batch.common.giveBackQuota(batch.unsentCount);
  }

  isCurrent(answer: ConsentAnswer): boolean {
    return this.consent.isCurrent(answer);
  }
}

const NONE = Promise.resolve(null);
