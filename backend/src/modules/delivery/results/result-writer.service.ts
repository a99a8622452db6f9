import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { refusesData, storableJson } from '../../../shared/database/queries/storable-text.js';
import { Metrics } from '../../../shared/metrics/metrics.service.js';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import { type DeliveryResult, storedResult } from '../batches/delivery-result.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { ResultLog, type LogPart, withoutDetails } from './result-log.service.js';

const MAX_PAUSE_MS = 5_000;
const RESULTS_PER_WRITE = 500;
/** If a result waits longer than this many ms, the database counts as being in trouble. */
const SLOW_WRITE_MS = 1_000;

interface Waiting {
  result: DeliveryResult;
  line: string;
  /** The log file that holds the result. */
  part?: LogPart;
  since: number;
  safe?: () => void;
  submitter: Submitter;
}

/** The message that a result belongs to. */
export interface Submitter {
  /** Whether the message's provider accepts only few messages per second. The result is then collected for longer. */
  readonly isPaced: boolean;
  /** Called once the result is stored in the message's row. */
  written(result: DeliveryResult): void;
}

/**
 * Collects the results of this worker's deliveries and writes many of them in one statement. The messages are already
 * out, so it retries until the database answers; meanwhile sending stops, so that the backlog of results does not grow.
 * Never drops a result.
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
  private flush?: () => void;
  private allowedBacklog: number;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly resultLog: ResultLog,
    private readonly tuning: DeliveryTuning,
    private readonly metrics: Metrics,
  ) {
    this.allowedBacklog = tuning.window;
  }

  /** Whether the last write failed, so that nothing new should be started. */
  get inTrouble(): boolean {
    return this.failures > 0;
  }

  /** Accepts a result. Calls `safe` once killing this worker can no longer lose the result. */
  write(result: DeliveryResult, submitter: Submitter, safe?: () => void): void {
    this.fresh.push({
      result,
      line: storableJson(storedResult(result)),
      since: performance.now(),
      part: undefined,
      safe,
      submitter,
    });
    if (this.fresh.length === 1) setImmediate(() => this.keep());
  }

  /**
   * Logs the results of one event loop tick together, at its end. A freed connection sends the body of its next message
   * in a later tick, after the reply to the envelope, so a kill duplicates only the messages on the connections.
   */
  private keep(): void {
    const fresh = this.fresh;
    this.fresh = [];
    const part = this.resultLog.keep(fresh.map(({ line }) => line));
    for (const one of fresh) {
      one.part = part;
      this.waiting.push(one);
      if (part) one.safe?.();
    }
    if (this.waiting.length >= this.flushAt || !part) this.flush?.();
    if (this.running) return;
    this.running = true;
    void this.run();
  }

  /**
   * Waits until the backlog of unwritten results is small enough.
   * @param inFlight number of messages without a result
   * @param window backlog that is always allowed
   */
  async room(inFlight: () => number, window: number): Promise<void> {
    while (this.isBehind(inFlight(), window)) await new Promise<void>((again) => this.delayed.push(again));
  }

  /** Whether the backlog of results is too large or too old; see `room`. */
  isBehind(inFlight: number, window: number): boolean {
    const oldest = this.underWay[0] ?? this.waiting[0];
    if (!oldest) return false;
    return (
      inFlight + this.waiting.length + this.underWay.length >= Math.max(window, this.allowedBacklog) ||
      performance.now() - oldest.since > SLOW_WRITE_MS
    );
  }

  /**
   * Doubles the allowed backlog when the database has taken a large batch, and halves it after a small one. It starts
   * small, and is reset after an error.
   */
  private adaptAllowedBacklog(taken: number): void {
    if (taken * 2 >= this.allowedBacklog) this.allowedBacklog = Math.min(this.allowedBacklog * 2, this.tuning.backlog);
    else if (taken * 8 < this.allowedBacklog)
      this.allowedBacklog = Math.max(this.allowedBacklog / 2, this.tuning.window);
  }

  private get flushAt(): number {
    return Math.min(this.tuning.settleAt, this.allowedBacklog / 2);
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      await this.gather();
      this.underWay = this.waiting.splice(0, RESULTS_PER_WRITE);
      await this.settle(this.underWay);
      for (const { part, safe, submitter, result } of this.underWay) {
        if (part) this.resultLog.forget(part);
        else safe?.();
        submitter.written(result);
      }
      this.adaptAllowedBacklog(this.underWay.length);
      this.underWay = [];
      for (const again of this.delayed.splice(0)) again();
    }
    this.running = false;
  }

  /**
   * Ms for which results are collected. Evaluated again after each pause, so that other results never wait for the
   * longer collection of paced ones.
   */
  private get gatherMs(): number {
    return this.waiting.every(({ submitter }) => submitter.isPaced) ? this.tuning.pacedSettleMs : this.tuning.settleMs;
  }

  /**
   * Collects results for the next statement. Results that could not be logged still hold a window slot, so they are
   * written within 8 ms.
   */
  private async gather(): Promise<void> {
    const isUrgent = this.waiting.some(({ part }) => !part);
    if (this.tuning.settleMs === 0 || (!isUrgent && this.waiting.length >= this.flushAt)) return;
    if (isUrgent) return void (await pause(Math.min(this.tuning.settleMs, 8)));
    let isFlushed = false;
    const flushed = new Promise<void>((resolve) => {
      this.flush = () => {
        isFlushed = true;
        resolve();
      };
    });
    for (let ms = 0; !isFlushed && ms < this.gatherMs; ms += this.tuning.settleMs)
      await Promise.race([flushed, pause(this.tuning.settleMs)]);
    this.flush = undefined;
  }

  private async settle(batch: readonly Waiting[]): Promise<void> {
    for (;;) {
      try {
        await this.claims.settle(
          batch.map(({ result }) => result),
          batch.map(({ line }) => line),
        );
        this.failures = 0;
        this.count(batch);
        return;
      } catch (error) {
        if (refusesData(error)) return this.settleOneByOne(batch, error as Error);
        this.failures++;
        this.allowedBacklog = this.tuning.window;
        this.log.error(
          { err: error, results: batch.length },
          'results of deliveries could not be written; sending waits',
        );
        await pause(Math.min(100 * 2 ** this.failures, MAX_PAUSE_MS));
      }
    }
  }

  /**
   * Writes the results one by one. A result that the database cannot store is written without the server's reply, so
   * that it does not delay the others.
   */
  private async settleOneByOne(batch: readonly Waiting[], error: Error): Promise<void> {
    this.log.error({ err: error }, 'a result could not be stored as it is');
    if (batch.length > 1) {
      for (const one of batch) await this.settle([one]);
      return;
    }
    const result = withoutDetails(batch[0]!.result);
    await this.settle([{ ...batch[0]!, result, line: JSON.stringify(storedResult(result)) }]);
  }

  private count(batch: readonly Waiting[]): void {
    const counts = new Map<string, number>();
    for (const {
      result: { status, providerLabel },
    } of batch) {
      const key = `${status} ${providerLabel}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, n] of counts)
      this.metrics.delivered(key.slice(0, key.indexOf(' ')), key.slice(key.indexOf(' ') + 1), n);
  }
}
