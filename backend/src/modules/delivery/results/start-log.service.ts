import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/queries/storable-text.js';
import { type Claim, DeliveryClaims } from '../batches/delivery-claims.service.js';
import { type LogFile, LogFolder } from './log-folder.js';
import { RejectedLogLines } from './rejected-log-lines.service.js';

type Key = Pick<Claim, 'id' | 'attempt'>;

/** First line of a record: the messages of the batch. */
interface FirstLine {
  token: number;
  messages: Key[];
}

export interface Recovery {
  /** Number of messages that were requeued. */
  requeued: number;
  /** Database time. Only messages whose leases ended earlier were looked up in the logs. */
  before: string;
}

const NOTHING: FirstLine = { token: 0, messages: [] };
const MAX_TOKEN = 2 ** 31 - 1;

/**
 * Log of which messages of a marked batch were begun, in a file under DATA_DIR that exists while the batch is under
 * way. One statement marks all rows of a batch before its first message leaves, so after a kill every message looks as
 * if it may have arrived. The log tells recovery which messages never left; these go out at once and do not count as
 * possible duplicates. The log is only an optimisation: without the file, every message of the batch counts as possibly
 * arrived.
 */
@Injectable()
export class StartLog {
  private readonly log = new Logger(StartLog.name);
  private readonly folder: LogFolder;
  private reading?: Promise<Recovery>;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RejectedLogLines,
  ) {
    this.folder = new LogFolder(join(settings.dataDir, 'groups'));
  }

  /**
   * Creates the record of a batch. Call it before the batch is marked.
   * @returns undefined if the disk refuses the file
   */
  open(batch: readonly Key[]): BatchStartRecord | undefined {
    try {
      const record = new BatchStartRecord(this.folder.create(), batch);
      const first: FirstLine = { token: record.token, messages: batch.map(({ id, attempt }) => ({ id, attempt })) };
      return record.append(JSON.stringify(first)) ? record : undefined;
    } catch (error) {
      this.log.warn(
        { err: error },
        'the start log cannot be written; after a crash all messages of the batch count as possibly sent',
      );
      return undefined;
    }
  }

  /** Requeues messages that dead workers had marked but not begun. */
  recover(): Promise<Recovery> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = undefined)));
  }

  private async readAll(): Promise<Recovery> {
    const before = await this.claims.databaseTime();
    let requeued = 0;
    await this.folder.readAll(async (text) => (requeued += await this.putBack(text, before)), { own: false });
    return { requeued, before };
  }

  /** Ignores a record that the database rejects; its messages count as possibly sent. */
  private async putBack(text: string, before: string): Promise<number> {
    try {
      const { token, messages } = unbegunIn(text);
      return await this.claims.putBack(messages, token, before);
    } catch (error) {
      if (!refusesData(error)) throw error;
      this.refused.keep('groups', text, error);
      return 0;
    }
  }
}

/** The start log of one batch. */
export class BatchStartRecord {
  /** Identifies the rows that this batch marks. */
  readonly token = randomInt(1, MAX_TOKEN);
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
   * Records that a message is begun. Call it before the message is dispatched. Messages that begin together share one
   * write. That is early enough: the write happens before the process returns to its sockets, and no message's body
   * leaves before the server has answered its envelope.
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
   * Appends a line. If the write fails, removes the record, because an incomplete record could claim that a message
   * never left.
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

  /**
   * Ends the record.
   * @param keep true: rows of the batch are still marked, so recovery needs the record after their leases have ended
   */
  close({ keep = false } = {}): void {
    if (!this.isOpen) return;
    if (keep) this.note();
    this.isOpen = false;
    if (keep) this.file.leave();
    else this.file.remove();
  }
}

/**
 * @returns the messages that were not begun; none if the record is incomplete, because an incomplete line may hide a
 * begun message
 */
function unbegunIn(text: string): FirstLine {
  const [first, ...lines] = text.split('\n');
  if (lines.pop() !== '') return NOTHING;
  try {
    const { token, messages } = JSON.parse(first!) as FirstLine;
    const begun = new Set(lines.map(Number));
    return { token, messages: messages.filter((_key, place) => !begun.has(place)) };
  } catch {
    return NOTHING;
  }
}
