import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/queries/storable-text.js';
import { DeliveryClaims } from '../batches/delivery-claims.service.js';
import type { DeliveryResult, StoredResult } from '../batches/delivery-result.js';
import { type LogFile, LogFolder } from './log-folder.js';
import { RejectedLogLines } from './rejected-log-lines.service.js';

const FULL_BYTES = 1_000_000;
/** Ms before the disk is tried again after a failed write. */
const TRY_AGAIN_MS = 1_000;
const RESULTS_PER_WRITE = 500;

/** A file of the log. `open` is the number of its results that are not in PostgreSQL yet. */
export interface LogPart {
  file: LogFile;
  bytes: number;
  open: number;
}

/**
 * Write-ahead log of results, in files under DATA_DIR. A result is logged when the mail server answers, and its file is
 * removed once all its results are in their rows. So results can be written to the database by the hundred, and a kill
 * still duplicates only the messages on the worker's connections, because a worker that takes over the rows reads the
 * files first. The log is only an optimisation: if the files are lost or the disk is full, more messages are sent
 * twice, but none is lost. There is no fsync, because a killed process loses nothing that it has written.
 */
@Injectable()
export class ResultLog implements OnApplicationBootstrap {
  private readonly log = new Logger(ResultLog.name);
  private readonly folder: LogFolder;
  private part?: LogPart;
  private brokenUntil = 0;

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
   * @returns the log file, which has to be passed to `forget` once per result that reached its row; undefined if the
   * results could not be stored
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

  /** Records that one result of the file is stored in the row of its message. */
  forget(part: LogPart): void {
    if (--part.open > 0) return;
    if (part === this.part) this.part = undefined;
    this.drop(part);
  }

  /**
   * Writes logged results to their rows, including results of this worker: after an outage longer than a lease, its
   * rows look abandoned while their results still wait for the next try. Writing a result of a living worker twice has
   * no effect.
   */
  recover(): Promise<void> {
    return this.folder.readAll((text) => this.write(resultsIn(text)), { own: true });
  }

  private async write(results: StoredResult[]): Promise<void> {
    for (let at = 0; at < results.length; at += RESULTS_PER_WRITE)
      await this.writeBatch(results.slice(at, at + RESULTS_PER_WRITE));
  }

  /**
   * Writes results to their rows. A result that the database rejects is put aside, so that it delays no others. Its row
   * gets the result without the server's reply, if the database accepts that.
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

/** Reduces a result to the parts that the database can always store. */
export const withoutDetails = <R extends StoredResult | DeliveryResult>(result: R): R => ({
  ...result,
  metadata: { reason: 'The details could not be stored' },
});

/** Skips lines that cannot be parsed, because the last line may be incomplete. */
function resultsIn(text: string): StoredResult[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as StoredResult];
    } catch {
      return [];
    }
  });
}
