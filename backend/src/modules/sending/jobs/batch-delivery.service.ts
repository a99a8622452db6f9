import { Injectable } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { Audience, type MailableContact } from '../../lists/index.js';
import { DeliveryClaims, type Claim, type Settled } from '../delivery-claims.service.js';
import { MessageComposer, type PreparedSend } from '../message-composer.js';
import { PreparedMessages } from '../prepared-message.js';
import { RecipientCheck } from '../recipient-check.service.js';
import { SendLane } from '../send-lane.service.js';
import { SendRate } from '../send-rate.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { HandOver } from './hand-over.service.js';
import { ResultWriter } from './result-writer.service.js';

export type DeliverableSend = PreparedSend & { contactType: ContactType };

interface Ready {
  claim: Claim;
  contact: MailableContact;
  message: ReadyMessage;
}

/** A group should take about so long to hand over: nobody is mailed on an older answer to "may I". */
const GROUP_MS = 80;
const LARGEST_GROUP = 250;
const PREPARED_SENDS = 8;

/**
 * Delivers claimed rows group by group: asks again who may be mailed, fills the messages, marks them as handed over, hands them over.
 * While one group goes out the next is made ready, unless the mail server is slow.
 */
@Injectable()
export class BatchDelivery {
  private readonly prepared = new Map<string, PreparedMessages>();
  private readonly open = new Set<Claim>();
  private renewal?: NodeJS.Timeout;
  private size: number;

  constructor(
    private readonly audience: Audience,
    private readonly recipients: RecipientCheck,
    private readonly claims: DeliveryClaims,
    private readonly composer: MessageComposer,
    private readonly lane: SendLane,
    private readonly rate: SendRate,
    private readonly handOver: HandOver,
    private readonly results: ResultWriter,
    private readonly tuning: SendingTuning,
  ) {
    this.size = tuning.parallel;
  }

  /** Returns when all are handed over or given back. @returns whose results are still on their way */
  async deliver(send: DeliverableSend, batch: Claim[], stopping: () => boolean): Promise<Promise<void>[]> {
    this.hold(batch);
    const waiting = [...batch];
    const underWay: Promise<void>[] = [];
    const halted = (): boolean => stopping() || this.lane.heldForMs() > 0 || this.results.inTrouble;
    const next = async (): Promise<Ready[] | null> => {
      if (waiting.length === 0 || halted()) return null;
      return this.makeReady(send, waiting.splice(0, this.size), underWay);
    };
    try {
      let coming: Promise<Ready[] | null> = next();
      for (let group = await coming; group !== null; group = await coming) {
        const started = performance.now();
        const quick = this.size > this.tuning.parallel;
        if (quick) coming = next();
        coming.catch(() => undefined);
        await this.handOverAll(group, underWay, halted);
        this.adapt(group.length, performance.now() - started);
        if (!quick) coming = next();
      }
      return underWay;
    } finally {
      await this.giveBack(waiting);
    }
  }

  private adapt(messages: number, ms: number): void {
    if (messages < this.size / 2) return;
    const fitting = Math.round((messages * GROUP_MS) / Math.max(1, ms));
    this.size = Math.max(this.tuning.parallel, Math.min(fitting, this.size * 2, LARGEST_GROUP));
  }

  /** Consent is looked at right before each group, so that nobody who left minutes ago is still mailed. */
  private async makeReady(send: DeliverableSend, group: Claim[], underWay: Promise<void>[]): Promise<Ready[]> {
    await this.rate.take(group.length);
    const { mailable, skipped } = await this.recipients.of(send, group);
    const messages = this.messagesOf(send);
    const ready: Ready[] = [];
    for (const claim of group) {
      const contact = mailable.get(claim.contactId);
      if (!contact) {
        underWay.push(this.conclude(claim, { status: 'skipped', metadata: { reason: skipped.get(claim.contactId) } }));
        continue;
      }
      try {
        ready.push({ claim, contact, message: await messages.for({ ...contact, deliveryId: claim.id, emailListId: claim.emailListId }) });
      } catch (error) {
        // A message that cannot be made fails alone.
        underWay.push(this.conclude(claim, { status: 'failed', metadata: { class: 'content', reason: 'The message could not be made', response: (error as Error).message } }));
      }
    }
    const ours = ready.length > 0 ? await this.claims.markTransmitting(ready.map(({ claim }) => claim)) : new Set<string>();
    for (const { claim } of ready) if (!ours.has(claim.id)) this.open.delete(claim);
    return ready.filter(({ claim }) => ours.has(claim.id));
  }

  private async handOverAll(group: Ready[], underWay: Promise<void>[], halted: () => boolean): Promise<void> {
    for (const [i, { claim, contact, message }] of group.entries()) {
      await this.handOver.place();
      if (halted()) {
        this.handOver.leave();
        return this.giveBack(group.slice(i).map((one) => one.claim));
      }
      const work = this.handOver.run(claim, message).then(({ status }) => {
        this.open.delete(claim);
        if (contact.introductionDue && status === 'sent') return this.audience.introduced([contact.contactId]);
      });
      underWay.push(work);
    }
  }

  private async conclude(claim: Claim, result: Pick<Settled, 'status' | 'metadata'>): Promise<void> {
    await this.results.write({ id: claim.id, attempt: claim.attempt, ...result });
    this.open.delete(claim);
  }

  private async giveBack(claims: Claim[]): Promise<void> {
    if (claims.length > 0) await this.claims.release(claims, this.lane.heldForMs() / 1000);
    for (const claim of claims) this.open.delete(claim);
  }

  private messagesOf(send: DeliverableSend): PreparedMessages {
    let messages = this.prepared.get(send.id);
    if (!messages) {
      if (this.prepared.size >= PREPARED_SENDS) this.prepared.delete(this.prepared.keys().next().value!);
      this.prepared.set(send.id, (messages = new PreparedMessages(this.composer, send)));
    }
    return messages;
  }

  /** Claims hold as long as this worker lives and works on them. */
  private hold(batch: Claim[]): void {
    for (const claim of batch) this.open.add(claim);
    this.renewal ??= setInterval(() => {
      if (this.open.size > 0) void this.claims.renew([...this.open]).catch(() => undefined);
    }, (this.tuning.leaseSeconds * 1000) / 3).unref();
  }
}
