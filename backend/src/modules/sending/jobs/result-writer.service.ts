import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { refusesData, storableJson } from '../../../shared/database/storable-text.js';
import { Metrics } from '../../../shared/metrics/metrics.service.js';
import { DeliveryClaims, type Settled } from '../delivery-claims.service.js';
import { SendingTuning } from '../sending-tuning.js';
import { ResultJournal, type JournalPart, withoutDetails } from './result-journal.service.js';

const LONGEST_PAUSE_MS = 5_000;
const AT_A_TIME = 500;
/** A result that waits longer says that the database is in trouble. */
const SLOW_MS = 1_000;

interface Waiting {
  result: Settled;
  line: string;
  /** Where a kill finds it again. */
  part?: JournalPart;
  since: number;
  safe?: () => void;
  submitter: Submitter;
}

/** Who hands a result in. */
export interface Submitter {
  /** It stands. */
  written(result: Settled): void;
}

/**
 * Writes the results of this worker's deliveries, one statement for all that gathered while the last one ran. The mails are out, so a
 * database that is away is asked until it answers; meanwhile the backlog is not allowed to grow, and sending stands still.
 */
@Injectable()
export class ResultWriter {
  private readonly log = new Logger(ResultWriter.name);
  private readonly delayed: (() => void)[] = [];
  private fresh: Waiting[] = [];
  private waiting: Waiting[] = [];
  private underWay: readonly Waiting[] = [];
  private running = false;
  private failures = 0;
  private enough?: () => void;
  private trust: number;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly journal: ResultJournal,
    private readonly tuning: SendingTuning,
    private readonly metrics: Metrics,
  ) {
    this.trust = tuning.window;
  }

  /** The last try to write failed: nothing new should be started. */
  get inTrouble(): boolean {
    return this.failures > 0;
  }

  /** Takes a result; `safe` is called once a kill of this worker cannot lose it. */
  write(result: Settled, submitter: Submitter, safe?: () => void): void {
    this.fresh.push({ result, line: storableJson(result), since: performance.now(), part: undefined, safe, submitter });
    if (this.fresh.length === 1) setImmediate(() => this.keep());
  }

  /**
   * What was answered in one turn of the event loop is kept together, at its end. A connection that became free sends the body of its
   * next message in a later turn, when the server has answered the envelope: a kill repeats at most what is on the connections.
   */
  private keep(): void {
    const fresh = this.fresh;
    this.fresh = [];
    const part = this.journal.keep(fresh.map(({ line }) => line));
    for (const one of fresh) {
      one.part = part;
      this.waiting.push(one);
      if (part) one.safe?.();
    }
    if (this.waiting.length >= this.many || !part) this.enough?.();
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  /** Waits until the rows are not too far behind what is sent. @param inHands whose result is still to come; that many is never too far */
  async room(inHands: () => number, window: number): Promise<void> {
    while (this.isBehind(inHands(), window)) await new Promise<void>((again) => this.delayed.push(again));
  }

  /** Whether they are too far behind, see room. */
  isBehind(inHands: number, window: number): boolean {
    const oldest = this.underWay[0] ?? this.waiting[0];
    if (!oldest) return false;
    return inHands + this.waiting.length + this.underWay.length >= Math.max(window, this.trust) || performance.now() - oldest.since > SLOW_MS;
  }

  /** The rows may fall further behind for each batch that the database took; a little only at first, and again after trouble. */
  private learn(taken: number): void {
    if (taken * 2 >= this.trust) this.trust = Math.min(this.trust * 2, this.tuning.backlog);
    else if (taken * 8 < this.trust) this.trust = Math.max(this.trust / 2, this.tuning.window);
  }

  private get many(): number {
    return Math.min(this.tuning.settleAt, this.trust / 2);
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gather();
      this.underWay = this.waiting.splice(0, AT_A_TIME);
      await this.settle(this.underWay);
      for (const { part, safe, submitter, result } of this.underWay) {
        if (part) this.journal.forget(part);
        else safe?.();
        submitter.written(result);
      }
      this.learn(this.underWay.length);
      this.underWay = [];
      for (const again of this.delayed.splice(0)) again();
    }
    this.running = false;
  }

  /** One that is kept nowhere yet holds a place in the hand-over window, so it waits a moment only. */
  private async gather(): Promise<void> {
    const hurry = this.waiting.some(({ part }) => !part);
    if (this.tuning.settleMs === 0 || (!hurry && this.waiting.length >= this.many)) return;
    if (hurry) return void (await pause(Math.min(this.tuning.settleMs, 8)));
    const enough = new Promise<void>((resolve) => (this.enough = resolve));
    await Promise.race([enough, pause(this.tuning.settleMs)]);
    this.enough = undefined;
  }

  private async settle(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      try {
        await this.claims.settle(batch.map(({ result }) => result), batch.map(({ line }) => line));
        this.failures = 0;
        this.count(batch);
        return;
      } catch (error) {
        if (refusesData(error)) return this.settleOneByOne(batch, error as Error);
        this.failures++;
        this.trust = this.tuning.window;
        this.log.error({ err: error, results: batch.length }, 'results of deliveries could not be written; sending waits');
        await pause(Math.min(100 * 2 ** this.failures, LONGEST_PAUSE_MS));
      }
    }
  }

  /** One result that the database cannot store must not hold up the others: it is written without the server's words. */
  private async settleOneByOne(batch: readonly Waiting[], error: Error): Promise<void> {
    this.log.error({ err: error }, 'a result could not be stored as it is');
    if (batch.length > 1) {
      for (const one of batch) await this.settle([one]);
      return;
    }
    const result = withoutDetails(batch[0]!.result);
    await this.settle([{ ...batch[0]!, result, line: JSON.stringify(result) }]);
  }

  private count(batch: readonly Waiting[]): void {
    const counts = new Map<string, number>();
    for (const { result: { status, lane } } of batch) {
      const key = `${status} ${lane}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, n] of counts) this.metrics.delivered(key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1), n);
  }
}
