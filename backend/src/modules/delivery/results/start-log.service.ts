import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/queries/storable-text.js';
import { type Claim, DeliveryClaims } from '../batches/delivery-claims.service.js';
import { type LogFile, LogFolder } from './log-folder.js';
import { RejectedLogLines } from './rejected-log-lines.service.js';

type Key = Pick<Claim, 'id' | 'attempt'>;

/**
 * Log of the begun messages of a marked batch, in a file under DATA_DIR for the life of the batch. One statement marks
 * a batch before its first message leaves, so after a kill every row looks as if its message may have arrived. Recovery
 * learns here which messages never left; they go out at once and do not count as possible duplicates. An optimisation
 * only: without the file, every row of the batch counts as possibly arrived.
 */
@Injectable()
export class StartLog {
  private readonly log = new Logger(StartLog.name);
  private readonly folder: LogFolder;
  private reading?: Promise<number>;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RejectedLogLines,
  ) {
    this.folder = new LogFolder(join(settings.dataDir, 'groups'));
  }

  /**
   * Opens the record. Call it before the batch is marked.
   * @returns undefined where the disk refuses the file
   */
  open(batch: readonly Key[]): BatchStartRecord | undefined {
    try {
      const record = new BatchStartRecord(this.folder.create(), batch);
      return record.append(JSON.stringify(batch.map(({ id, attempt }) => ({ id, attempt })))) ? record : undefined;
    } catch (error) {
      this.log.warn(
        { err: error },
        'the start log cannot be written; after a crash all messages of the batch count as possibly sent',
      );
      return undefined;
    }
  }

  /** Requeues messages that dead workers had marked but not begun. @returns number of messages */
  recover(): Promise<number> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = undefined)));
  }

  private async readAll(): Promise<number> {
    let count = 0;
    await this.folder.readAll(async (text) => (count += await this.putBack(text)), { own: false });
    return count;
  }

  /** A record that the database refuses is ignored: its rows count as possibly sent. */
  private async putBack(text: string): Promise<number> {
    try {
      return await this.claims.putBack(unbegunIn(text));
    } catch (error) {
      if (!refusesData(error)) throw error;
      this.refused.keep('groups', text, error);
      return 0;
    }
  }
}

/** The record of one batch. */
export class BatchStartRecord {
  private readonly places: ReadonlyMap<string, number>;
  private begun: number[] = [];
  private isOpen = true;

  constructor(
    private readonly file: LogFile,
    batch: readonly Key[],
  ) {
    this.places = new Map(batch.map(({ id }, place) => [id, place]));
  }

  /**
   * Call it before the message is dispatched. Messages that begin together share one line: it is written before the
   * process returns to its sockets, and no message's body leaves before the server has answered its envelope.
   */
  begin(id: string): void {
    this.begun.push(this.places.get(id)!);
    if (this.begun.length === 1) process.nextTick(() => this.note());
  }

  private note(): void {
    if (this.begun.length > 0) this.append(this.begun.join('\n'));
    this.begun = [];
  }

  /**
   * Removes the record where a write fails: an incomplete record would claim that a message never left.
   * @returns whether the line was written
   */
  append(line: string): boolean {
    if (!this.isOpen) return false;
    try {
      this.file.append(line);
      return true;
    } catch {
      this.close();
      return false;
    }
  }

  /** Ends the record. `keep`: rows of the batch are still marked, and recovery needs the record once their lease is over. */
  close({ keep = false } = {}): void {
    if (!this.isOpen) return;
    if (keep) this.note();
    this.isOpen = false;
    if (keep) this.file.leave();
    else this.file.remove();
  }
}

/** An incomplete line may hide a begun message, so the record then yields nothing. */
function unbegunIn(text: string): Key[] {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.length === 0) return [];
  try {
    const begun = new Set(lines.slice(1).map(Number));
    return (JSON.parse(lines[0]!) as Key[]).filter((_key, place) => !begun.has(place));
  } catch {
    return [];
  }
}
