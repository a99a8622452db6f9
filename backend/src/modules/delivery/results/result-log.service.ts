import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/queries/storable-text.js';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import type { DeliveryResult, StoredResult } from '../batches/delivery-result.js';
import { type LogFile, LogFolder } from './log-folder.js';
import { RejectedLogLines } from './rejected-log-lines.service.js';

const FULL_BYTES = 1_000_000;
/** Ms before the next try after a failed write to the disk. */
const TRY_AGAIN_MS = 1_000;
const RESULTS_PER_WRITE = 500;

/** One file of the log with the number of its results that PostgreSQL does not have yet. */
export interface LogPart {
  file: LogFile;
  bytes: number;
  open: number;
}

/**
 * Write-ahead log of results in files under DATA_DIR: written when the mail server answers, removed once the rows have
 * the results. Results can then be written by the hundred, and a kill still duplicates only what was on the worker's
 * connections: a worker that takes the rows over reads the files first. An optimisation only: where the files are lost
 * or the disk is full, more messages are sent twice and none is lost. No fsync, because a killed process loses nothing
 * that it wrote.
 */
@Injectable()
export class ResultLog implements OnApplicationBootstrap {
  private readonly log = new Logger(ResultLog.name);
  private readonly folder: LogFolder;
  private part?: LogPart;
  private brokenUntil = 0;
  private reading?: Promise<void>;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RejectedLogLines,
  ) {
    this.folder = new LogFolder(join(settings.dataDir, 'results'));
  }

  onApplicationBootstrap(): void {
    void this.recover().catch((error: unknown) =>
      this.log.error({ err: error }, 'results of an earlier worker could not be written yet'),
    );
  }

  /**
   * Stores results, one line each.
   * @returns the log file, to be passed to `forget` once for each result that reached its row; undefined where they could
   * not be stored
   */
  keep(lines: readonly string[]): LogPart | undefined {
    if (this.brokenUntil > 0 && Date.now() < this.brokenUntil) return undefined;
    try {
      const part = (this.part ??= { file: this.folder.create(), bytes: 0, open: 0 });
      part.bytes += part.file.append(lines.join('\n'));
      part.open += lines.length;
      this.brokenUntil = 0;
      if (part.bytes > FULL_BYTES) this.closeOff(part);
      return part;
    } catch (error) {
      if (this.brokenUntil === 0)
        this.log.warn({ err: error }, 'results cannot be logged on disk; each waits for PostgreSQL');
      this.brokenUntil = Date.now() + TRY_AGAIN_MS;
      if (this.part) this.closeOff(this.part);
      return undefined;
    }
  }

  /** Counts a result of the file as written to its row. */
  forget(part: LogPart): void {
    if (--part.open > 0) return;
    if (part === this.part) this.part = undefined;
    this.drop(part);
  }

  /**
   * Writes results that workers logged and did not write to the rows, including this worker's own: after an outage
   * longer than a lease its rows look abandoned while their results wait for the next try. Repeated writes by living
   * workers have no effect.
   */
  recover(): Promise<void> {
    return (this.reading ??= this.folder
      .readAll((text) => this.write(resultsIn(text)), { own: true })
      .finally(() => (this.reading = undefined)));
  }

  private async write(results: StoredResult[]): Promise<void> {
    for (let at = 0; at < results.length; at += RESULTS_PER_WRITE)
      await this.writeBatch(results.slice(at, at + RESULTS_PER_WRITE));
  }

  /**
   * A result that the database rejects is stored aside, so that it delays no other. Its row gets the result without the
   * server's reply, where the database accepts that.
   */
  private async writeBatch(results: StoredResult[]): Promise<void> {
    try {
      await this.claims.settle(
        results,
        results.map((result) => JSON.stringify(result)),
      );
    } catch (error) {
      if (!refusesData(error)) throw error;
      if (results.length > 1) {
        for (const one of results) await this.writeBatch([one]);
        return;
      }
      this.refused.keep('results', JSON.stringify(results[0]), error);
      await this.claims.settle([withoutDetails(results[0]!)]).catch((again: unknown) => {
        if (!refusesData(again)) throw again;
      });
    }
  }

  private closeOff(part: LogPart): void {
    this.part = undefined;
    if (part.open === 0) this.drop(part);
  }

  private drop(part: LogPart): void {
    try {
      part.file.remove();
    } catch (error) {
      this.log.warn({ err: error }, 'a result log file could not be removed');
    }
  }
}

/** A result reduced to what the database can always store. */
export const withoutDetails = <R extends StoredResult | DeliveryResult>(result: R): R => ({
  ...result,
  metadata: { reason: 'The details could not be stored' },
});

/** The last line may be incomplete. */
function resultsIn(text: string): StoredResult[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as StoredResult];
    } catch {
      return [];
    }
  });
}
