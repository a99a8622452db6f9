import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { JobQueue } from '../../shared/jobs/job-queue.js';
import type { LaneLimit } from './lane-limits.js';
import { SharedRate } from './shared-rate.js';

/** A claim that has to wait for its lane. */
export interface Waiting<T> {
  claim: T;
  pauseSeconds: number;
}

/** Longest a message is sent away: limits may change meanwhile. */
const LONGEST_SECONDS = 3_600;
const KEPT_ENDS = 1_000;

/** The messages a second that lanes with a limit are given, over all workers. */
@Injectable()
export class LaneRates {
  private readonly rates = new Map<number, SharedRate>();
  /** Where the line of a send's messages that wait for a lane ends, in ms; a line for each send, so that a large one holds up no other. */
  private readonly ends = new Map<string, number>();

  constructor(
    private readonly settings: Settings,
    private readonly jobs: JobQueue,
  ) {}

  /** Which claims of one send may go now, and in how many seconds the others come back, one after another. */
  async admit<T extends { domain: string }>(sendId: string, claims: readonly T[], limitOf: (domain: string) => LaneLimit | undefined): Promise<{ now: T[]; later: Waiting<T>[] }> {
    const now: T[] = [];
    const later: Waiting<T>[] = [];
    const full = new Set<string>();
    for (const claim of claims) {
      const limit = limitOf(claim.domain);
      if (!limit || limit.perSecond === Infinity) {
        now.push(claim);
      } else if (!full.has(limit.lane) && (await this.rateOf(limit.perSecond).takeFree(limit.lane))) {
        now.push(claim);
      } else {
        full.add(limit.lane);
        later.push({ claim, pauseSeconds: this.place(`${limit.lane} ${sendId}`, limit.perSecond) });
      }
    }
    return { now, later };
  }

  private place(line: string, perSecond: number): number {
    const now = Date.now();
    if (this.ends.size > KEPT_ENDS) for (const [name, end] of this.ends) if (end < now) this.ends.delete(name);
    const end = Math.max(this.ends.get(line) ?? 0, now) + 1000 / perSecond;
    this.ends.set(line, end);
    return Math.min((end - now) / 1000, LONGEST_SECONDS);
  }

  private rateOf(perSecond: number): SharedRate {
    let rate = this.rates.get(perSecond);
    if (!rate) this.rates.set(perSecond, (rate = new SharedRate(this.settings, this.jobs, 'lane-rate', perSecond)));
    return rate;
  }
}
