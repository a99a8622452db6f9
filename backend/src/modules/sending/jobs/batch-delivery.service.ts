import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { Audience, type MailableContact } from '../../lists/index.js';
import { DomainLanes } from '../domain-lanes.service.js';
import { DeliveryClaims, type Claim, type Settled } from '../delivery-claims.service.js';
import { laneName } from '../lane-names.js';
import { MessageComposer, type PreparedSend } from '../message-composer.js';
import { type PreparedMessages, PreparedSends } from '../prepared-message.js';
import { ProviderAccounts } from '../providers/provider-accounts.service.js';
import { RecipientCheck } from '../recipient-check.service.js';
import { SendLane } from '../send-lane.service.js';
import { SendRate } from '../send-rate.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { GroupJournal, type GroupRecord } from './group-journal.service.js';
import { HandOver } from './hand-over.service.js';
import { ResultWriter } from './result-writer.service.js';

export type DeliverableSend = PreparedSend & { contactType: ContactType };

interface Ready {
  claim: Claim;
  contact: MailableContact;
}

interface Group {
  ready: Ready[];
  messages: PreparedMessages;
  /** The account whose places of the slow start these take. */
  placeWith: ReadyMessage['placeWith'];
  record?: GroupRecord;
  /** When it was asked who may be mailed. */
  since: number;
}

/** A group should take about so long to hand over: nobody is mailed on an older answer to "may I". */
const GROUP_MS = 200;
const LARGEST_GROUP = 500;
/** No message goes out on an answer older than this, nor in the second half of its lease. */
const FRESH_MS = 10_000;
/** How long messages wait for their domain before others of the send have their turn. */
const LANE_PATIENCE_MS = 500;

/**
 * Delivers claimed rows group by group: asks again who may be mailed, fills the messages, marks them as handed over, hands them over.
 * While one group goes out the next is made ready, unless the mail server is slow.
 */
@Injectable()
export class BatchDelivery {
  private readonly prepared: PreparedSends;
  private readonly log = new Logger(BatchDelivery.name);
  /** Claims whose lease this worker renews. */
  private readonly open = new Set<Claim>();
  /** Those of them whose result is on its way. */
  private readonly handed = new Set<Claim>();
  private renewal?: NodeJS.Timeout;
  private size: number;

  constructor(
    private readonly audience: Audience,
    private readonly recipients: RecipientCheck,
    private readonly claims: DeliveryClaims,
    composer: MessageComposer,
    private readonly lane: SendLane,
    private readonly rate: SendRate,
    private readonly lanes: DomainLanes,
    private readonly accounts: ProviderAccounts,
    private readonly handOver: HandOver,
    private readonly groups: GroupJournal,
    private readonly results: ResultWriter,
    private readonly tuning: SendingTuning,
  ) {
    this.size = tuning.parallel;
    this.prepared = new PreparedSends(composer);
  }

  /** Returns when all are handed over or given back. @returns whose results are still on their way */
  async deliver(send: DeliverableSend, batch: Claim[], stopping: () => boolean): Promise<Promise<void>[]> {
    this.hold(batch);
    const waiting = [...batch];
    const underWay: Promise<void>[] = [];
    const halted = (): boolean => stopping() || this.lane.heldForMs() > 0 || this.results.inTrouble;
    const next = async (): Promise<Group | null> => {
      if (waiting.length === 0 || halted()) return null;
      return this.makeReady(send, waiting.splice(0, Math.min(this.size, this.rate.largestGroup)), underWay);
    };
    let coming: Promise<Group | null> = next();
    try {
      for (let group = await coming; group !== null; group = await coming) {
        const started = performance.now();
        const quick = this.size > this.tuning.parallel;
        if (quick) coming = next();
        coming.catch(() => undefined);
        await this.handOverAll(group, underWay, halted);
        this.adapt(group.ready.length, performance.now() - started);
        if (!quick) coming = next();
      }
      return underWay;
    } finally {
      // Whatever went wrong: what is not under way is let go, by the rows where the database answers, else by its lease.
      const unused = await coming.catch(() => undefined);
      const given = await this.giveBack(batch.filter((claim) => this.open.has(claim) && !this.handed.has(claim)));
      unused?.record?.close({ keep: !given });
    }
  }

  private adapt(messages: number, ms: number): void {
    if (messages < this.size / 2) return;
    const fitting = Math.round((messages * GROUP_MS) / Math.max(1, ms));
    this.size = Math.max(this.tuning.parallel, Math.min(fitting, this.size * 2, LARGEST_GROUP));
  }

  /** Consent is looked at right before each group, so that nobody who left minutes ago is still mailed. */
  private async makeReady(send: DeliverableSend, group: Claim[], underWay: Promise<void>[]): Promise<Group> {
    const { now, later } = await this.lanes.admit(send.id, group);
    const { granted, pauseSeconds, placeWith } = await this.accounts.takePlaces(now.length);
    const admitted = now.slice(0, granted);
    await this.postpone([...later, ...now.slice(granted).map((claim) => ({ claim, pauseSeconds }))]);
    await this.rate.take(admitted.length);
    const since = performance.now();
    const { mailable, skipped } = await this.recipients.of(send, admitted);
    const ready: Ready[] = [];
    for (const claim of admitted) {
      const contact = mailable.get(claim.contactId);
      if (contact) ready.push({ claim, contact });
      else underWay.push(this.conclude(claim, { status: 'skipped', metadata: { reason: skipped.get(claim.contactId) } }));
    }
    const { ours, record } = await this.mark(ready.map(({ claim }) => claim));
    for (const { claim } of ready) if (!ours.has(claim.id)) this.open.delete(claim);
    return { ready: ready.filter(({ claim }) => ours.has(claim.id)), messages: this.prepared.of(send), placeWith, record, since };
  }

  private async mark(claims: Claim[]): Promise<{ ours: Set<string>; record?: GroupRecord }> {
    if (claims.length === 0) return { ours: new Set() };
    const record = this.groups.open(claims);
    try {
      return { ours: await this.claims.markTransmitting(claims), record };
    } catch (error) {
      // It may be marked all the same.
      record?.close({ keep: true });
      throw error;
    }
  }

  /** In order, but for those whose domain is slow: they let others pass, and after a while they are given back. So is what became old. */
  private async handOverAll(group: Group, underWay: Promise<void>[], halted: () => boolean): Promise<void> {
    const begun = underWay.length;
    let given = false;
    try {
      given = await this.handOverInOrder(group, underWay, halted);
    } finally {
      void Promise.allSettled(underWay.slice(begun))
        .then(() => group.record?.close({ keep: !given }))
        .catch((error: unknown) => this.log.warn({ err: error }, 'the record of a group could not be removed'));
    }
  }

  /** @returns false where some could not be given back */
  private async handOverInOrder(group: Group, underWay: Promise<void>[], halted: () => boolean): Promise<boolean> {
    const { ready, record, since } = group;
    const waiting = [...ready];
    const freshUntil = since + Math.min(FRESH_MS, this.tuning.leaseSeconds * 500);
    let stuckSince = 0;
    while (waiting.length > 0) {
      await this.handOver.place();
      const next = waiting.findIndex(({ claim }) => this.lanes.hasRoom(claim.domain));
      const stuckMs = next < 0 && stuckSince > 0 ? performance.now() - stuckSince : 0;
      if (halted() || stuckMs > LANE_PATIENCE_MS || performance.now() > freshUntil) {
        this.handOver.leave();
        return this.giveBack(waiting.map((one) => one.claim), stuckMs > 0 ? this.tuning.lanePauseSeconds : undefined);
      }
      if (next < 0) {
        stuckSince ||= performance.now();
        this.handOver.leave();
        await pause(10);
        continue;
      }
      stuckSince = 0;
      const [one] = waiting.splice(next, 1);
      record?.begin(one!.claim.id);
      underWay.push(this.handOne(one!, group));
    }
    return true;
  }

  private async handOne({ claim, contact }: Ready, group: Group): Promise<void> {
    this.handed.add(claim);
    const { status } = await this.makeAndRun(claim, contact, group);
    this.letGo(claim);
    if (!contact.introductionDue || status !== 'sent') return;
    await this.audience.introduced([contact.contactId]).catch((error: unknown) => this.log.error({ err: error }, 'an introduction could not be noted; it is made again'));
  }

  /**
   * The message is made only now, and nothing keeps it while its result waits for the row: hundreds of them are megabytes. One that
   * cannot be made fails alone. @returns the result, once it is written
   */
  private async makeAndRun(claim: Claim, contact: MailableContact, { messages, placeWith }: Group): Promise<Pick<Settled, 'status'>> {
    const leave = this.lanes.enter(claim.domain);
    const message = await messages.for({ ...contact, deliveryId: claim.id, emailListId: claim.emailListId }).catch((error: Error) => error);
    if (!(message instanceof Error)) return this.handOver.run(claim, Object.assign(message, { placeWith }), leave);
    leave();
    this.handOver.leave();
    return this.write(claim, { status: 'failed', metadata: { class: 'content', reason: 'The message could not be made', response: message.message } });
  }

  private async conclude(claim: Claim, result: Pick<Settled, 'status' | 'metadata'>): Promise<void> {
    this.handed.add(claim);
    await this.write(claim, result);
    this.letGo(claim);
  }

  private async write(claim: Claim, result: Pick<Settled, 'status' | 'metadata'>): Promise<Pick<Settled, 'status'>> {
    await this.results.write({ id: claim.id, attempt: claim.attempt, lane: laneName(claim.domain), ...result });
    return result;
  }

  private letGo(claim: Claim): void {
    this.open.delete(claim);
    this.handed.delete(claim);
  }

  private async postpone(later: { claim: Claim; pauseSeconds: number }[]): Promise<void> {
    if (later.length > 0) await this.claims.settle(later.map(({ claim: { id, attempt }, pauseSeconds }) => ({ id, attempt, status: 'queued', pauseSeconds })));
    for (const { claim } of later) this.open.delete(claim);
  }

  /** @returns whether the rows say so */
  private async giveBack(claims: Claim[], pauseSeconds = this.lane.heldForMs() / 1000): Promise<boolean> {
    for (const claim of claims) this.open.delete(claim);
    if (claims.length === 0) return true;
    try {
      await this.claims.release(claims, pauseSeconds);
      return true;
    } catch (error) {
      this.log.error({ err: error }, 'claims could not be given back; their leases end them');
      return false;
    }
  }

  /** Claims hold as long as this worker lives and works on them. */
  private hold(batch: Claim[]): void {
    for (const claim of batch) this.open.add(claim);
    this.renewal ??= setInterval(() => {
      if (this.open.size > 0) void this.claims.renew([...this.open]).catch(() => undefined);
    }, (this.tuning.leaseSeconds * 1000) / 3).unref();
  }
}
