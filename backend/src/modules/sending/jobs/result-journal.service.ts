import { join } from 'node:path';
import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/storable-text.js';
import { DeliveryClaims, type Settled } from '../delivery-claims.service.js';
import { type JournalFile, JournalFolder } from './journal-folder.js';
import { RefusedLines } from './refused-lines.service.js';

const FULL_BYTES = 1_000_000;
/** Pause after the disk took nothing. */
const TRY_AGAIN_MS = 1_000;
const AT_A_TIME = 500;

/** One file of the journal, and how many of its results PostgreSQL does not have yet. */
export interface JournalPart {
  file: JournalFile;
  bytes: number;
  open: number;
}

/**
 * Results on their way to PostgreSQL, in files under DATA_DIR: written at the instant the mail server has answered, gone once the
 * rows have them. It lets results be written by the hundred while a killed worker still repeats only what was on its connections:
 * whoever takes its rows over reads its files first. A hint like the queue: where the files are lost or the disk is full, more is
 * repeated, and nothing is lost. No fsync: a killed process loses nothing that it wrote.
 */
@Injectable()
export class ResultJournal implements OnApplicationBootstrap {
  private readonly log = new Logger(ResultJournal.name);
  private readonly folder: JournalFolder;
  private part?: JournalPart;
  private brokenUntil = 0;
  private reading?: Promise<void>;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RefusedLines,
  ) {
    this.folder = new JournalFolder(join(settings.dataDir, 'results'));
  }

  onApplicationBootstrap(): void {
    void this.recover().catch((error: unknown) => this.log.error({ err: error }, 'results of a former worker could not be written yet'));
  }

  /** Keeps results, a line each. @returns the part to forget each with, undefined where they could not be kept */
  keep(lines: readonly string[]): JournalPart | undefined {
    if (this.brokenUntil > 0 && Date.now() < this.brokenUntil) return undefined;
    try {
      const part = (this.part ??= { file: this.folder.create(), bytes: 0, open: 0 });
      part.bytes += part.file.append(lines.join('\n'));
      part.open += lines.length;
      this.brokenUntil = 0;
      if (part.bytes > FULL_BYTES) this.closeOff(part);
      return part;
    } catch (error) {
      if (this.brokenUntil === 0) this.log.warn({ err: error }, 'results cannot be kept on disk; each waits for PostgreSQL');
      this.brokenUntil = Date.now() + TRY_AGAIN_MS;
      if (this.part) this.closeOff(this.part);
      return undefined;
    }
  }

  /** The row has it. */
  forget(part: JournalPart): void {
    if (--part.open > 0) return;
    if (part === this.part) this.part = undefined;
    this.drop(part);
  }

  /**
   * Writes what workers kept and did not write, this one's own included: after an outage longer than a lease its rows look like a dead
   * worker's while their results still wait for the next try. Those that live write the same once more, to no effect.
   */
  recover(): Promise<void> {
    return (this.reading ??= this.folder.readAll((text) => this.write(resultsIn(text)), { own: true }).finally(() => (this.reading = undefined)));
  }

  private async write(results: Settled[]): Promise<void> {
    for (let at = 0; at < results.length; at += AT_A_TIME) await this.writeBatch(results.slice(at, at + AT_A_TIME));
  }

  /** One that the database refuses holds up no other: it is put aside, and its row gets the result without the server's words where it takes that. */
  private async writeBatch(results: Settled[]): Promise<void> {
    try {
      await this.claims.settle(results);
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

  private closeOff(part: JournalPart): void {
    this.part = undefined;
    if (part.open === 0) this.drop(part);
  }

  private drop(part: JournalPart): void {
    try {
      part.file.remove();
    } catch (error) {
      this.log.warn({ err: error }, 'a file of the journal could not be removed');
    }
  }
}

/** What is left of a result that the database does not take as it is. */
export const withoutDetails = (result: Settled): Settled => ({ ...result, metadata: { reason: 'The details could not be stored' } });

/** The last line may be torn. */
function resultsIn(text: string): Settled[] {
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as Settled];
    } catch {
      return [];
    }
  });
}
