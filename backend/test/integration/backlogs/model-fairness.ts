import {
  type BacklogSlice,
  DeliveryBacklogs,
  type LeasedBacklog,
} from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Actor } from './gated-database.js';
import type { World } from './model-world.js';

/** Halts of an undisturbed lease: its start and its commit. With more halts, something else happened in between. */
const OWN_HALTS = 2;

interface ServingRound {
  startedAt: number;
  /** Number of waiting messages by account holder. */
  waiting: Map<string, number>;
  /**
   * Ids of sends with few waiting messages, and of account holders whose first slot goes to such a send. Both precede
   * large sends.
   */
  small: Set<string>;
  /** Times of the last service, by account holder. */
  last: Map<string, number>;
  /** Number of slots that each account holder got. */
  places: Map<string, number>;
}

/**
 * Checks whom a worker serves. The account holder who has waited longest comes first, and small sends precede large
 * ones. Nobody gets more slots than another account holder who still waits, or a slot instead of somebody who has
 * waited longer.
 */
export class FairnessWatch {
  private readonly rounds = new Map<string, ServingRound>();

  constructor(
    private readonly world: World,
    private readonly actor: Actor,
    private readonly smallSend: number,
  ) {}

  /** @param lease leases backlogs; the round is judged only if nothing else happens during it */
  async begin(provider: string, lease: () => Promise<LeasedBacklog[]>): Promise<LeasedBacklog[]> {
    const { database } = this.world;
    this.rounds.delete(provider);
    const before = database.passed;
    const leased = await lease();
    if (!this.actor.isGated || database.passed - before !== OWN_HALTS) return leased;
    const waiting = new Map<string, number>();
    const filled = leased.filter((one) => one.waiting > 0);
    for (const one of filled) waiting.set(one.userId, (waiting.get(one.userId) ?? 0) + one.waiting);
    // An account holder's first backlog gets that holder's first slot.
    const firsts = filled.filter((one) => filled.find(({ userId }) => userId === one.userId) === one);
    const isSmall = (one: LeasedBacklog) => one.waiting <= this.smallSend;
    const small = new Set([
      ...filled.filter(isSmall).map(({ sendId }) => sendId),
      ...firsts.filter(isSmall).map(({ userId }) => userId),
    ]);
    if (waiting.size < 2) return leased;
    const last = await database.whileRunning(this.world.lastServed(provider, [...waiting.keys()]));
    this.rounds.set(provider, { startedAt: performance.now(), waiting, small, last, places: new Map() });
    return leased;
  }

  serves(provider: string, sendId: string, places: number): void {
    const round = this.rounds.get(provider);
    if (!round) return;
    const holder = this.world.holderOf(sendId);
    const mine = round.last.get(holder) ?? -Infinity;
    for (const [other, theirs] of round.last)
      if (!round.places.has(other) && theirs < mine && (!round.small.has(sendId) || round.small.has(other)))
        this.world.violations.push(`${provider}: ${holder} is served before ${other}, who has waited longer`);
    round.places.set(holder, (round.places.get(holder) ?? 0) + places);
  }

  end(provider: string): void {
    const round = this.rounds.get(provider);
    if (!round || this.world.provider(provider).cutAt >= round.startedAt || round.places.size === 0) return;
    const given = (holder: string) => round.places.get(holder) ?? 0;
    for (const [one] of round.waiting)
      for (const [other, wanted] of round.waiting)
        if (given(one) > given(other) + 1 && given(other) < wanted)
          this.world.violations.push(`${provider}: ${one} gets ${given(one)} places and ${other} ${given(other)}`);
    for (const [one, mine] of round.last)
      for (const [other, theirs] of round.last)
        if (given(one) > 0 && given(other) === 0 && theirs < mine)
          this.world.violations.push(`${provider}: ${one} gets a place and ${other}, who has waited longer, none`);
  }
}

export class WatchedBacklogs extends DeliveryBacklogs {
  constructor(
    em: EntityManager,
    private readonly watch: FairnessWatch,
  ) {
    super(em);
  }

  override lease(provider: string, most: number): Promise<LeasedBacklog[]> {
    return this.watch.begin(provider, () => super.lease(provider, most));
  }

  override next(sendId: string, provider: string, most: number): Promise<BacklogSlice | undefined> {
    this.watch.serves(provider, sendId, most);
    return super.next(sendId, provider, most);
  }
}
