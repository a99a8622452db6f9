import { randomInt } from 'node:crypto';
import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/queries/storable-text.js';
import { type Claim, DeliveryClaims } from '../batches/delivery-claims.service.js';
import { BOOT_ID } from './boot-id.js';
import { type LogFile, LogFolder } from './log-folder.js';
import { RejectedLogLines } from './rejected-log-lines.service.js';

type Key = Pick<Claim, 'id' | 'attempt'>;

/** Messages of a batch. A record's first line has them as JSON, with the boot in which it was written. */
interface BatchMessages {
  claimToken: number;
  messages: Key[];
}

const NO_MESSAGES: BatchMessages = { claimToken: 0, messages: [] };
/** Largest int of PostgreSQL. Only tokens for the same row and attempt are compared, so 31 bits are enough. */
const MAX_TOKEN = 2 ** 31 - 1;

/**
 * Log of which messages of a marked batch were begun, in a file under DATA_DIR that exists while the batch is under
 * way. One statement marks all rows of a batch before its first message leaves, so after a kill every message looks as
 * if it may have arrived. The log tells recovery which messages never left; these go out at once and do not count as
 * possible duplicates. The log is only an optimisation: without the file, every message of the batch counts as possibly
 * arrived.
 *
 * A record may list rows that its batch did not mark, because another batch was first or the worker was killed before.
 * So each batch has a random token, in its record and in the rows that it marked, and recovery applies the record to no
 * other rows.
 */
@Injectable()
export class StartLog {
  private readonly log = new Logger(StartLog.name);
  private readonly folder: LogFolder;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RejectedLogLines,
  ) {
    this.folder = new LogFolder(join(settings.dataDir, 'groups'));
  }

  /**
   * Creates the record of a batch. Call it before the batch is marked, and pass its token to DeliveryClaims.claim.
   * @returns undefined if the disk refuses the file
   */
  open(batch: readonly Key[]): BatchStartRecord | undefined {
    try {
      const record = new BatchStartRecord(this.folder.create(), batch);
      const messages = batch.map(({ id, attempt }) => ({ id, attempt }));
      const first = JSON.stringify({ boot: BOOT_ID, claimToken: record.claimToken, messages });
      return record.append(first) ? record : undefined;
    } catch (error) {
      this.log.warn(
        { err: error },
        'the start log cannot be written; after a crash all messages of the batch count as possibly sent',
      );
      return undefined;
    }
  }

  /**
   * Requeues messages that dead workers had marked but not begun.
   * @param leasesEndedBefore database time, taken before this call
   * @returns number of requeued messages
   * @throws if the database fails
   */
  async recover(leasesEndedBefore: string): Promise<number> {
    let requeued = 0;
    await this.folder.readAll(async (text) => (requeued += await this.requeue(text, leasesEndedBefore)), {
      own: false,
    });
    return requeued;
  }

  /** Ignores a record that the database rejects; its messages count as possibly sent. */
  private async requeue(text: string, leasesEndedBefore: string): Promise<number> {
    try {
      const { claimToken, messages } = unbegunIn(text);
      return await this.claims.requeueUnbegun(messages, claimToken, leasesEndedBefore);
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
  readonly claimToken = randomInt(1, MAX_TOKEN);
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

  /** Ends this process if the record can neither be completed nor removed, before the messages' bodies leave. */
  private note(): void {
    try {
      if (this.begun.length > 0) this.append(this.begun.join(','));
    } catch (error) {
      process.nextTick(() => {
        throw error;
      });
    }
    this.begun = [];
  }

  /**
   * Appends a line. If the write fails, removes the record, because an incomplete record could claim that a message
   * never left.
   * @returns whether the line was written
   * @throws if the record could not be removed either
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
    // A failed note has closed the record already.
    if (!this.isOpen) return;
    this.isOpen = false;
    if (keep) this.file.leave();
    else this.file.remove();
  }
}

/**
 * @returns the batch's token and the messages that were not begun. No messages if the record may lack a begun one: its
 * last line is incomplete, it is damaged, or the machine was restarted since, because without fsync a power loss may
 * take the last lines
 */
function unbegunIn(text: string): BatchMessages {
  const [first, ...lines] = text.split('\n');
  if (lines.pop() !== '') return NO_MESSAGES;
  try {
    const { boot, claimToken, messages } = JSON.parse(first!) as BatchMessages & { boot: string };
    const begun = new Set(lines.flatMap((line) => line.split(',')));
    if (!messages.every(isKey)) return NO_MESSAGES;
    const isPlace = (text: string) => String(Number(text)) === text && messages[Number(text)] !== undefined;
    if (!BOOT_ID || boot !== BOOT_ID || ![...begun].every(isPlace)) return NO_MESSAGES;
    return { claimToken, messages: messages.filter((_key, place) => !begun.has(String(place))) };
  } catch {
    return NO_MESSAGES;
  }
}

const isKey = ({ id, attempt }: Key): boolean => typeof id === 'string' && Number.isInteger(attempt);
