import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable, Logger } from '@nestjs/common';
import type { SendMailOptions } from 'nodemailer';
import { BULK_TRANSPORT, type MailTransport } from '../../../shared/mail/bulk-transport.js';
import { Metrics } from '../../../shared/metrics/metrics.service.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { Audience, type MailableContact } from '../../lists/index.js';
import { DeliveryClaims, type Claim, type Settled } from '../delivery-claims.service.js';
import { MessageComposer, type PreparedSend } from '../message-composer.js';
import { RecipientCheck } from '../recipient-check.service.js';
import { RetrySchedule } from '../retry-schedule.js';
import { SendLane } from '../send-lane.service.js';
import { SendRate } from '../send-rate.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { verdictOf, type SmtpFault, type Verdict } from '../smtp-verdict.js';

export type DeliverableSend = PreparedSend & { contactType: ContactType };

interface Ready {
  claim: Claim;
  contact: MailableContact;
  message: SendMailOptions;
}

const SETTLE_TRIES = 8;

/** Delivers claimed rows: asks again who may be mailed, then hands over group by group and writes each group's results at once. */
@Injectable()
export class BatchDelivery {
  private readonly log = new Logger(BatchDelivery.name);

  constructor(
    private readonly audience: Audience,
    private readonly recipients: RecipientCheck,
    private readonly claims: DeliveryClaims,
    private readonly composer: MessageComposer,
    private readonly schedule: RetrySchedule,
    private readonly lane: SendLane,
    private readonly rate: SendRate,
    private readonly tuning: SendingTuning,
    @Inject(BULK_TRANSPORT) private readonly transport: MailTransport,
    private readonly metrics: Metrics,
  ) {}

  async deliver(send: DeliverableSend, batch: Claim[], stopping: () => boolean): Promise<void> {
    let open = batch;
    const renewal = setInterval(() => void this.claims.renew(open).catch(() => undefined), (this.tuning.leaseSeconds * 1000) / 3);
    try {
      while (open.length > 0) {
        if (stopping() || this.lane.heldForMs()) {
          await this.claims.release(open, this.lane.heldForMs() / 1000);
          return;
        }
        const group = open.slice(0, this.tuning.parallel);
        await this.rate.take(group.length);
        await this.deliverGroup(send, group);
        open = open.slice(group.length);
      }
    } finally {
      clearInterval(renewal);
    }
  }

  /** Consent is looked at right before each group, so that nobody who left minutes ago is still mailed. */
  private async deliverGroup(send: DeliverableSend, group: Claim[]): Promise<void> {
    const { mailable, skipped } = await this.recipients.of(send, group);
    const results: Settled[] = [];
    const ready: Ready[] = [];
    for (const claim of group) {
      const contact = mailable.get(claim.contactId);
      if (contact) this.compose(send, claim, contact, ready, results);
      else results.push({ ...keyOf(claim), status: 'skipped', metadata: { reason: skipped.get(claim.contactId) } });
    }
    const ours = ready.length > 0 ? await this.claims.markTransmitting(ready.map(({ claim }) => claim)) : new Set<string>();
    const handed = ready.filter(({ claim }) => ours.has(claim.id));
    results.push(...(await Promise.all(handed.map((one) => this.handOver(one)))));
    await this.settle(results);
    await this.noteIntroductions(handed, results);
  }

  /** A message that cannot be made fails alone. */
  private compose(send: DeliverableSend, claim: Claim, contact: MailableContact, ready: Ready[], results: Settled[]): void {
    try {
      const message = this.composer.compose(send, { ...contact, deliveryId: claim.id, emailListId: claim.emailListId });
      ready.push({ claim, contact, message });
    } catch (error) {
      results.push({ ...keyOf(claim), status: 'failed', metadata: { class: 'content', reason: 'The message could not be made', response: (error as Error).message } });
    }
  }

  private async handOver({ claim, message }: Ready): Promise<Settled> {
    const messageId = this.composer.messageId(claim.id);
    try {
      const { response } = await this.transport.send(message);
      return { ...keyOf(claim), status: 'sent', messageId, metadata: { response, reason: null, class: null } };
    } catch (error) {
      return { ...this.resultOf(claim, verdictOf(error as SmtpFault)), messageId };
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

  /** The mails are out: writing that down is tried for a minute; after that their leases run out and they count as unknown. */
  private async settle(results: Settled[]): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        await this.claims.settle(results);
        for (const { status } of results) this.metrics.delivered(status);
        return;
      } catch (error) {
        this.log.error({ err: error }, 'results of deliveries could not be written');
        if (attempt === SETTLE_TRIES) throw error;
        await pause(Math.min(250 * 2 ** attempt, 15_000));
      }
    }
  }

  private async noteIntroductions(handed: Ready[], results: Settled[]): Promise<void> {
    const sent = new Set(results.filter((result) => result.status === 'sent').map((result) => result.id));
    const introduced = handed.filter(({ claim, contact }) => contact.introductionDue && sent.has(claim.id)).map(({ contact }) => contact.contactId);
    if (introduced.length > 0) await this.audience.introduced(introduced);
  }
}

const keyOf = ({ id, attempt }: Claim) => ({ id, attempt });
