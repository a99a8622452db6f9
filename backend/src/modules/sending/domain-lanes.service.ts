import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/rows.js';
import type { Claim } from './delivery-claims.service.js';
import { laneLimitOf, type LaneLimit } from './lane-limits.js';
import { LaneRates, type Waiting } from './lane-rates.service.js';
import { ProviderAccounts } from './providers/provider-accounts.service.js';
import type { ProviderConfig } from './providers/provider-config.js';
import { SendingTuning } from './sending-tuning.js';
import type { Verdict } from './smtp-verdict.js';

const LOOK_AGAIN_MS = 2_000;
const FIRST_ROOM = 4;
/** A message that takes longer says that the domain is slow. */
const SLOW_MS = 3_000;
const KEPT_LANES = 10_000;
/** So many refusals of policy in a row pause their domain (guide/email.md §5). */
const POLICY_REFUSALS = 5;
const SPEAKS_OF_RATE = /too many|rate|thrott|slow down|limit|unusual|exceed|temporarily deferred/i;

interface Lane {
  room: number;
  /** Start times of the messages under way, oldest first. */
  underWay: Set<number>;
}

/** Whether a reply asks us to slow down: 4.7.x but for greylisting, which is one recipient's affair (guide/email.md §6). */
export function asksToSlowDown({ kind, code = '', response = '' }: Verdict): boolean {
  const [, detail] = /\b4\.7\.(\d{1,3})\b/.exec(`${code} ${response}`) ?? [];
  return kind === 'temporary' && detail !== undefined && !/gr[ae]y.?list/i.test(response) && (detail !== '1' || SPEAKS_OF_RATE.test(response));
}

/**
 * One lane per recipient domain. How many messages a lane carries at a time is this worker's own affair: few at first, one more for
 * each that went quickly, so a domain that hangs never takes all connections. That a domain asked us to slow down is shared by all
 * instances through PostgreSQL: then one message a minute goes there, and all else goes on. One that refuses our mail as such is
 * paused the same way, before every recipient there has failed. Rates of lanes with a limit are LaneRates' affair.
 */
@Injectable()
export class DomainLanes {
  private readonly log = new Logger(DomainLanes.name);
  private readonly lanes = new Map<string, Lane>();
  /** Refusals of policy in a row, where there are any. */
  private readonly refusals = new Map<string, number>();
  private slow = new Set<string>();
  private lookedAt = 0;
  /** Domains that refuse us, and until when nothing goes there. */
  private readonly refusing = new Map<string, number>();
  /** By the config of the account that mail goes out by. */
  private limits = new Map<string, LaneLimit | undefined>();
  private config: ProviderConfig = {};
  /** The embedded mailbox is every domain's mail server, and ours. */
  private readonly hasMailbox: boolean;

  constructor(
    private readonly em: EntityManager,
    private readonly tuning: SendingTuning,
    private readonly rates: LaneRates,
    private readonly accounts: ProviderAccounts,
    settings: Settings,
  ) {
    this.hasMailbox = settings.embedded.has('mailbox');
  }

  /** Which of these of one send may go now, and in how many seconds the others. */
  async admit<T extends Pick<Claim, 'domain'>>(sendId: string, claims: readonly T[]): Promise<{ now: T[]; later: Waiting<T>[] }> {
    await this.look();
    const { now, later } = await this.admitToSlow(claims);
    const limited = await this.rates.admit(sendId, now, (domain) => this.limitOf(domain));
    return { now: limited.now, later: [...later, ...limited.later] };
  }

  private async admitToSlow<T extends Pick<Claim, 'domain'>>(claims: readonly T[]): Promise<{ now: T[]; later: Waiting<T>[] }> {
    const slow = [...new Set(claims.map(({ domain }) => domain))].filter((domain) => this.slow.has(domain));
    if (slow.length === 0) return { now: [...claims], later: [] };
    const turns = new Map<string, Turn>();
    for (const domain of slow) turns.set(domain, await this.turnOf(domain));
    const now: T[] = [];
    const later: Waiting<T>[] = [];
    for (const claim of claims) {
      const turn = turns.get(claim.domain);
      if (!turn || turn.free > 0) {
        if (turn) turn.free--;
        now.push(claim);
        continue;
      }
      later.push({ claim, pauseSeconds: Math.min(turn.pause, turn.rest + Math.random() * 5) });
      turn.pause += this.tuning.slowLaneSeconds;
    }
    return { now, later };
  }

  /** The domain asked for less: all instances hold back from now on. */
  private async slowDown(domain: string, reason: string): Promise<void> {
    if (!this.slow.has(domain)) this.log.warn({ domain, reason }, 'a domain asks us to slow down');
    await this.holdBack(domain, reason, this.tuning.slowLaneSeconds);
  }

  /** A domain took a message. */
  took(domain: string): void {
    if (this.refusals.size > 0) this.refusals.delete(domain);
  }

  /** A domain did not take a message. */
  async refusedOne(domain: string, verdict: Verdict): Promise<void> {
    if (asksToSlowDown(verdict)) return this.slowDown(domain, verdict.response ?? verdict.reason);
    if (verdict.kind !== 'permanent') return;
    if (verdict.class === 'policy') return this.refused(domain, verdict);
    // It judges recipients, not us.
    this.refusals.delete(domain);
  }

  private async refused(domain: string, { response, reason }: Verdict): Promise<void> {
    const inARow = (this.refusals.get(domain) ?? 0) + 1;
    this.refusals.set(domain, inARow);
    if (inARow < POLICY_REFUSALS) return;
    this.log.error({ domain, inARow, response }, 'a domain refuses our mail; what waits for it is held back');
    this.refusing.set(domain, Date.now() + this.tuning.policyPauseSeconds * 1000);
    await this.holdBack(domain, response ?? reason, this.tuning.policyPauseSeconds);
  }

  private async holdBack(domain: string, reason: string, nextInSeconds: number): Promise<void> {
    this.slow.add(domain);
    const { slowLaneForSeconds } = this.tuning;
    await changed(
      this.em,
      `insert into delivery_lanes (domain, slow_until, next_at, reason) values (?, now() + make_interval(secs => ?), now() + make_interval(secs => ?), ?)
       on conflict (domain) do update set slow_until = excluded.slow_until, next_at = greatest(delivery_lanes.next_at, excluded.next_at), reason = excluded.reason`,
      [domain, Math.max(slowLaneForSeconds, nextInSeconds), nextInSeconds, reason.slice(0, 500)],
    ).catch((error: unknown) => this.log.error({ err: error }, 'a slow domain could not be noted; it is held back here only'));
  }

  hasRoom(domain: string): boolean {
    if (this.refusing.size > 0 && (this.refusing.get(domain) ?? 0) > Date.now()) return false;
    const lane = this.lanes.get(domain);
    if (!lane) return true;
    const atOnce = this.limitOf(domain)?.atOnce ?? Infinity;
    if (lane.underWay.size < Math.min(FIRST_ROOM, lane.room)) return lane.underWay.size < atOnce;
    const [oldest] = lane.underWay;
    const stuck = oldest !== undefined && performance.now() - oldest > SLOW_MS;
    return !stuck && lane.underWay.size < Math.min(lane.room, atOnce);
  }

  /** Takes a place in a lane. @returns what to give it back by */
  enter(domain: string): number {
    const { underWay } = this.laneOf(domain);
    let started = performance.now();
    while (underWay.has(started)) started += 0.001;
    underWay.add(started);
    return started;
  }

  /** The message that entered then is through. */
  leave(domain: string, entered: number): void {
    const lane = this.laneOf(domain);
    lane.underWay.delete(entered);
    const quick = performance.now() - entered < SLOW_MS;
    lane.room = quick ? Math.min(lane.room + 1, this.tuning.window) : Math.max(FIRST_ROOM, lane.room >> 1);
  }

  private limitOf(domain: string): LaneLimit | undefined {
    if (!this.limits.has(domain)) this.limits.set(domain, this.hasMailbox ? undefined : laneLimitOf(domain, this.config));
    return this.limits.get(domain);
  }

  private laneOf(domain: string): Lane {
    let lane = this.lanes.get(domain);
    if (!lane) {
      if (this.lanes.size >= KEPT_LANES) for (const [name, { underWay }] of this.lanes) if (underWay.size === 0) this.lanes.delete(name);
      this.lanes.set(domain, (lane = { room: FIRST_ROOM, underWay: new Set() }));
    }
    return lane;
  }

  private async look(): Promise<void> {
    if (Date.now() - this.lookedAt < LOOK_AGAIN_MS) return;
    this.lookedAt = Date.now();
    this.config = (await this.accounts.inUse()).config;
    this.limits = new Map();
    for (const [domain, until] of this.refusing) if (until < Date.now()) this.refusing.delete(domain);
    const found = await rows<{ domain: string }>(this.em, `select domain from delivery_lanes where slow_until > now()`);
    this.slow = new Set(found.map(({ domain }) => domain));
  }

  /** Takes the domain's next place where it is free already. */
  private async turnOf(domain: string): Promise<Turn> {
    const every = this.tuning.slowLaneSeconds;
    const taken = await changed(
      this.em,
      `update delivery_lanes set next_at = now() + make_interval(secs => ?) where domain = ? and next_at <= now() and slow_until > now()`,
      [every, domain],
    );
    const [lane] = await rows<{ pause: number; rest: number }>(
      this.em,
      `select greatest(0, extract(epoch from next_at - now()))::float8 as pause, greatest(0, extract(epoch from slow_until - now()))::float8 as rest from delivery_lanes where domain = ?`,
      [domain],
    );
    return { free: taken, pause: lane?.pause ?? 0, rest: lane?.rest ?? 0 };
  }
}

interface Turn {
  free: number;
  /** Seconds to the next place. */
  pause: number;
  /** Seconds until the domain is as before. */
  rest: number;
}
