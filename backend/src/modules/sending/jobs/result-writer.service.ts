import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { Metrics } from '../../../shared/metrics/metrics.service.js';
import { DeliveryClaims, type Settled } from '../delivery-claims.service.js';
import { SendingTuning } from '../sending-tuning.js';

const LONGEST_PAUSE_MS = 5_000;
const AT_A_TIME = 500;

interface Waiting {
  result: Settled;
  written: () => void;
}

/**
 * Writes the results of this worker's deliveries, one statement for all that came while the last one ran. The mails are out, so a
 * database that is away is asked until it answers; meanwhile no place in the hand-over window becomes free, and sending stands still.
 */
@Injectable()
export class ResultWriter {
  private readonly log = new Logger(ResultWriter.name);
  private waiting: Waiting[] = [];
  private running = false;
  private failures = 0;

  constructor(
    private readonly claims: DeliveryClaims,
    private readonly tuning: SendingTuning,
    private readonly metrics: Metrics,
  ) {}

  /** The last try to write failed: nothing new should be started. */
  get inTrouble(): boolean {
    return this.failures > 0;
  }

  /** Resolves once the result stands. */
  write(result: Settled): Promise<void> {
    return new Promise((written) => {
      this.waiting.push({ result, written });
      if (this.running) return;
      this.running = true;
      void this.run();
    });
  }

  private async run(): Promise<void> {
    while (this.waiting.length > 0) {
      if (this.waiting.length < AT_A_TIME && this.tuning.settleMs > 0) await pause(this.tuning.settleMs);
      const batch = this.waiting.splice(0, AT_A_TIME);
      await this.settle(batch.map(({ result }) => result));
      for (const { written } of batch) written();
    }
    this.running = false;
  }

  private async settle(results: Settled[]): Promise<void> {
    for (;;) {
      try {
        await this.claims.settle(results);
        this.failures = 0;
        for (const { status, lane } of results) this.metrics.delivered(status, lane);
        return;
      } catch (error) {
        if (isDataError(error)) return this.settleOneByOne(results, error as Error);
        this.failures++;
        this.log.error({ err: error, results: results.length }, 'results of deliveries could not be written; sending waits');
        await pause(Math.min(100 * 2 ** this.failures, LONGEST_PAUSE_MS));
      }
    }
  }

  /** One result that the database cannot store must not hold up the others: it is written without the server's words. */
  private async settleOneByOne(results: Settled[], error: Error): Promise<void> {
    this.log.error({ err: error }, 'a result could not be stored as it is');
    if (results.length === 1) return this.settle([{ ...results[0]!, metadata: { reason: 'The details could not be stored' } }]);
    for (const result of results) await this.settle([result]);
  }
}

/** Class 22: the statement's data, not the database, is at fault. */
const isDataError = (error: unknown): boolean => String((error as { code?: unknown }).code ?? '').startsWith('22');
