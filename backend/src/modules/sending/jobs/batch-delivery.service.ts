import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import type { ReadyMessage } from '../../../shared/mail/bulk-transport.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { Audience } from '../../lists/index.js';
import { DeliveryBacklogs } from '../delivery-backlogs.service.js';
import { DeliveryClaims, type Claim, type Settled } from '../delivery-claims.service.js';
import { MessageComposer, type PreparedSend } from '../message-composer.js';
import { PreparedSends } from '../prepared-message.js';
import { SendLane } from '../send-lane.service.js';
import { SendingTuning } from '../sending-tuning.js';
import type { Pacer } from '../throttling/pacer.js';
import { ProviderThrottles } from '../throttling/provider-throttles.service.js';
import { providerLabel } from '../throttling/recipient-provider.js';
import { type ConsentAnswer, ConsentChanges } from './consent-changes.js';
import { Flight, type FlightControl, Group } from './flight.js';
import { GroupMaker } from './group-maker.service.js';
import { HandOver } from './hand-over.service.js';
import { ResultWriter } from './result-writer.service.js';
import type { UnderWay } from './under-way.js';

export type DeliverableSend = PreparedSend & { contactType: ContactType; acceptedAt: Date };

/** Target time to hand a group over. Changes of consent meanwhile come by ConsentChanges; while those cannot be heard, a batch may take no longer. */
const GROUP_MS = 500;
const LARGEST_GROUP = 500;
/** No message goes out on an answer older than this, nor in the second half of its lease. */
const FRESH_MS = 10_000;
/** How long a batch waits for connections of a provider; once per provider, its others go to the backlog at once. */
const SLOT_PATIENCE_MS = 500;
/** Longest sleep between two messages of a paced batch: it may be halted meanwhile. */
const PACED_MS = 50;

/** What became of a batch of claims. */
export interface Delivered {
  /** Claims that have to wait for their provider, and were not marked. */
  parked: Claim[];
  /** Position of the first claim that nothing was decided about; Infinity: none. */
  undecidedFrom: number;
}

/**
 * Delivers rows group by group: asks again who may be mailed, marks them as handed over, fills the messages, hands them over.
 * While one group goes out the next is made ready, unless the mail server is slow.
 */
@Injectable()
export class BatchDelivery implements FlightControl {
  private readonly prepared: PreparedSends;
  private readonly log = new Logger(BatchDelivery.name);
  /** Those whose leases this worker renews. */
  private readonly open = new Set<Group>();
  private renewal?: NodeJS.Timeout;
  private size: number;

  constructor(
    private readonly audience: Audience,
    private readonly maker: GroupMaker,
    private readonly claims: DeliveryClaims,
    composer: MessageComposer,
    private readonly lane: SendLane,
    private readonly throttles: ProviderThrottles,
    private readonly backlogs: DeliveryBacklogs,
    private readonly handOver: HandOver,
    private readonly results: ResultWriter,
    private readonly consent: ConsentChanges,
    private readonly tuning: SendingTuning,
  ) {
    this.size = tuning.parallel;
    this.prepared = new PreparedSends(composer);
  }

  /** Nothing new should be begun for a moment. */
  get isInTrouble(): boolean {
    return this.results.inTrouble;
  }

  /**
   * Ends when all are handed over or left to others; `underWay` counts those whose results are still on their way.
   * @param pacer places with their provider that were reserved for these claims; absent: places are asked for
   */
  async deliver(send: DeliverableSend, batch: Claim[], stopping: () => boolean, underWay: UnderWay, pacer?: Pacer): Promise<Delivered> {
    let taken = 0;
    const groups: Group[] = [];
    const halted = (): boolean => stopping() || this.lane.heldForMs() > 0 || this.isInTrouble;
    const next = async (): Promise<Group | null> => {
      if (taken >= batch.length || halted() || this.maker.heldForMs() > 0) return null;
      const claims = batch.slice(taken, taken + Math.min(pacer?.isPaced ? LARGEST_GROUP : this.size, this.maker.largest));
      const group = await this.makeReady(send, claims, underWay, pacer !== undefined);
      taken += claims.length;
      groups.push(group);
      return group;
    };
    let coming: Promise<Group | null> = next();
    try {
      for (let group = await coming; group !== null; group = await coming) {
        coming = NONE;
        const started = performance.now();
        const quick = pacer?.isPaced || this.size > this.tuning.parallel;
        if (quick) (coming = next()).catch(() => undefined);
        await this.handOverAll(group, halted, pacer);
        if (!pacer?.isPaced) this.adapt(group.flights.filter(({ isBegun }) => isBegun).length, performance.now() - started);
        if (!quick) coming = next();
      }
    } finally {
      // Whatever went wrong: what was marked and is not under way is let go, by the rows where the database answers, else by its lease.
      const unused = await coming.catch(() => undefined);
      const given = await this.giveBack(groups.flatMap((group) => group.unused));
      if (unused) {
        unused.isGivenBack = given;
        unused.leave();
      }
    }
    let undecidedFrom = batch[taken]?.position ?? Infinity;
    for (const { common } of groups) for (const { position } of common.undecided) undecidedFrom = Math.min(undecidedFrom, position);
    return { parked: groups.flatMap(({ common }) => common.later), undecidedFrom };
  }

  private adapt(messages: number, ms: number): void {
    if (messages < this.size / 2) return;
    const fitting = Math.round((messages * GROUP_MS) / Math.max(1, ms));
    this.size = Math.max(this.tuning.parallel, Math.min(fitting, this.size * 2, LARGEST_GROUP));
  }

  private async makeReady(send: DeliverableSend, claims: Claim[], underWay: UnderWay, isAdmitted: boolean): Promise<Group> {
    const { marked, ...made } = await this.maker.make(send, claims, isAdmitted);
    const group = new Group({ ...made, messages: this.prepared.of(send), sendId: send.id, underWay, tokens: [`u:${send.userId}`, `s:${send.id}`] }, this);
    this.hold(group);
    for (const { claim, contact, reason } of marked) {
      const flight = new Flight(claim, group, contact);
      group.flights.push(flight);
      if (!contact) this.conclude(flight, reason);
    }
    return group;
  }

  private async handOverAll(group: Group, halted: () => boolean, pacer?: Pacer): Promise<void> {
    try {
      const given = await this.handOverInOrder(group, halted, pacer);
      group.isGivenBack = (await this.giveBack(group.revoked, 0)) && given;
    } finally {
      group.leave();
    }
  }

  /**
   * In order, but for those whose provider has no free connection: they let others pass, and after a while they go to the backlog. So do
   * those whose provider asked for less meanwhile. What became old is given back.
   * @returns false where some could not be given back
   */
  private async handOverInOrder(group: Group, halted: () => boolean, pacer?: Pacer): Promise<boolean> {
    const { flights, common: { record, since } } = group;
    const freshUntil = since + Math.min(FRESH_MS, this.tuning.leaseSeconds * 500);
    const started = performance.now();
    let stuckSince = 0;
    let first = 0;
    let cutsSeen = 0;
    let given = true;
    for (;;) {
      if (cutsSeen !== this.throttles.cutCount) {
        cutsSeen = this.throttles.cutCount;
        given = (await this.park(group.unused.filter(({ claim }) => this.throttles.isCutSince(claim, since)))) && given;
      }
      while (first < flights.length && !flights[first]!.isUnused) first++;
      if (first === flights.length) return given;
      const early = pacer ? pacer.waitMs() : 0;
      if (early >= 1 && !halted()) {
        await pause(Math.min(early, PACED_MS));
        continue;
      }
      const wait = this.handOver.place();
      if (wait) await wait;
      const next = cutsSeen === this.throttles.cutCount ? this.nextOf(group, first) : undefined;
      if (halted() || performance.now() > Math.min(freshUntil, this.consent.goodUntil(since, started))) {
        this.handOver.leave();
        return (await this.giveBack(group.unused)) && given;
      }
      if (next) {
        stuckSince = 0;
        record?.begin(next.claim.id);
        pacer?.take();
        this.handOne(next);
        continue;
      }
      this.handOver.leave();
      if (cutsSeen !== this.throttles.cutCount) continue;
      const waiting = group.unused;
      stuckSince ||= performance.now();
      const isStuck = performance.now() - stuckSince > SLOT_PATIENCE_MS;
      const stalled = isStuck ? waiting : waiting.filter(({ claim }) => this.throttles.isStalled(claim.provider));
      if (isStuck) for (const { claim } of waiting) this.throttles.stalled(claim.provider);
      if (stalled.length > 0) given = (await this.park(stalled)) && given;
      else if (waiting.length > 0) await pause(10);
    }
  }

  /** Marked messages whose provider takes none now wait in its backlog. @returns whether the rows say so */
  private async park(flights: Flight[]): Promise<boolean> {
    if (flights.length === 0) return true;
    for (const flight of flights) flight.isOver = true;
    const claims = flights.map(({ claim }) => Object.assign(claim, { provider: this.throttles.providerOf(claim.domain) }));
    try {
      await this.backlogs.park(flights[0]!.group.common.sendId, claims, 'marked', this.throttles.accountInUse);
      this.throttles.addBacklogged(claims.map(({ provider }) => provider));
      return true;
    } catch (error) {
      this.log.error({ err: error }, 'messages could not be put into a backlog; their leases end them');
      return false;
    }
  }

  /** The first that its provider has room for. Who left meanwhile is taken out. */
  private nextOf(group: Group, first: number): Flight | undefined {
    const { flights } = group;
    for (let at = first; at < flights.length; at++) {
      const flight = flights[at]!;
      if (!flight.isUnused) continue;
      if (flight.isRevoked) group.revoke(flight);
      else if (this.throttles.hasRoom(flight.claim.provider)) return flight;
    }
    return undefined;
  }

  /**
   * The message is made only now, and nothing keeps it while its result waits for the row: hundreds of them are megabytes. One that
   * cannot be made fails alone.
   */
  private handOne(flight: Flight): void {
    const { claim, group: { common: { messages } } } = flight;
    const recipient = { ...flight.begin()!, deliveryId: claim.id, emailListId: claim.emailListId };
    flight.entered = this.throttles.enter(claim.provider);
    try {
      const message = messages.forNow(recipient);
      if (message) this.run(flight, message);
      else void messages.for(recipient).then((made) => this.run(flight, made)).catch((error: Error) => this.notMade(flight, error));
    } catch (error) {
      this.notMade(flight, error as Error);
    }
  }

  private run(flight: Flight, message: ReadyMessage): void {
    message.placeWith = flight.group.common.placeWith;
    message.gate = flight;
    this.handOver.run(flight, message);
  }

  private notMade(flight: Flight, { message }: Error): void {
    this.answered(flight);
    this.handOver.leave();
    this.write(flight, { status: 'failed', metadata: { class: 'content', reason: 'The message could not be made', response: message } });
  }

  private conclude(flight: Flight, reason?: string): void {
    flight.begin();
    this.write(flight, { status: 'skipped', metadata: { reason } });
  }

  private write(flight: Flight, result: Pick<Settled, 'status' | 'metadata'>): void {
    const { id, attempt, provider } = flight.claim;
    this.results.write({ id, attempt, lane: providerLabel(provider), ...result }, flight);
  }

  answered({ claim: { provider }, entered }: Flight): void {
    this.throttles.leave(provider, entered);
  }

  isCurrent(answer: ConsentAnswer): boolean {
    return this.consent.isCurrent(answer);
  }

  async introduced(contactId: string): Promise<void> {
    await this.audience.introduced([contactId]).catch((error: unknown) => this.log.error({ err: error }, 'an introduction could not be noted; it is made again'));
  }

  closed(group: Group): void {
    this.open.delete(group);
    try {
      group.common.record?.close({ keep: !group.isGivenBack });
    } catch (error) {
      this.log.warn({ err: error }, 'the record of a group could not be removed');
    }
  }

  /** @returns whether the rows say so */
  private async giveBack(flights: Flight[], pauseSeconds = this.lane.heldForMs() / 1000): Promise<boolean> {
    for (const flight of flights) flight.isOver = true;
    if (flights.length === 0) return true;
    try {
      await this.claims.release(flights.map(({ claim }) => claim), pauseSeconds);
      return true;
    } catch (error) {
      this.log.error({ err: error }, 'claims could not be given back; their leases end them');
      return false;
    }
  }

  /** What is marked is ours as long as this worker lives and works on it. */
  private hold(group: Group): void {
    this.open.add(group);
    this.renewal ??= setInterval(() => void this.renew().catch(() => undefined), (this.tuning.leaseSeconds * 1000) / 3).unref();
  }

  private async renew(): Promise<void> {
    await this.claims.renew([...this.open].flatMap(({ flights }) => flights.filter(({ isOver }) => !isOver).map(({ claim }) => claim)));
  }
}

const NONE = Promise.resolve(null);
