import { join } from 'node:path';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { refusesData } from '../../../shared/database/storable-text.js';
import { type Claim, DeliveryClaims } from '../delivery-claims.service.js';
import { type JournalFile, JournalFolder } from './journal-folder.js';
import { RefusedLines } from './refused-lines.service.js';

type Key = Pick<Claim, 'id' | 'attempt'>;

/**
 * Which messages of a marked group were begun, in a file under DATA_DIR for as long as the group is under way. A whole group is marked
 * by one statement before its first message is handed over, so after a kill the rows alone say of all of them that they may have
 * arrived. Whoever takes the rows over learns here which never left: those go out at once, and are not taken for possible doubles.
 * A hint: without the file, every row of the group counts as possibly arrived.
 */
@Injectable()
export class GroupJournal {
  private readonly log = new Logger(GroupJournal.name);
  private readonly folder: JournalFolder;
  private reading?: Promise<number>;

  constructor(
    settings: Settings,
    private readonly claims: DeliveryClaims,
    private readonly refused: RefusedLines,
  ) {
    this.folder = new JournalFolder(join(settings.dataDir, 'groups'));
  }

  /** To be called before the group is marked. @returns undefined where the disk takes nothing */
  open(group: readonly Key[]): GroupRecord | undefined {
    try {
      const record = new GroupRecord(this.folder.create(), group);
      return record.append(JSON.stringify(group.map(({ id, attempt }) => ({ id, attempt })))) ? record : undefined;
    } catch (error) {
      this.log.warn({ err: error }, 'the messages of a group cannot be noted; a kill would let all of them count as possibly sent');
      return undefined;
    }
  }

  /** Puts back what workers that are gone had marked and never begun. @returns how many */
  recover(): Promise<number> {
    return (this.reading ??= this.readAll().finally(() => (this.reading = undefined)));
  }

  private async readAll(): Promise<number> {
    let count = 0;
    await this.folder.readAll(async (text) => (count += await this.putBack(text)), { own: false });
    return count;
  }

  /** A record that the database refuses says nothing: its rows count as possibly sent. */
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

/** The record of one group. */
export class GroupRecord {
  private readonly places: ReadonlyMap<string, number>;
  private begun: number[] = [];
  private isOpen = true;

  constructor(
    private readonly file: JournalFile,
    group: readonly Key[],
  ) {
    this.places = new Map(group.map(({ id }, place) => [id, place]));
  }

  /**
   * To be called before the message is handed over. Those that begin together share a line's cost: it is written before the process
   * looks at its sockets again, and no message's body leaves before the server has answered its envelope.
   */
  begin(id: string): void {
    this.begun.push(this.places.get(id)!);
    if (this.begun.length === 1) process.nextTick(() => this.note());
  }

  private note(): void {
    if (this.begun.length > 0) this.append(this.begun.join('\n'));
    this.begun = [];
  }

  /** A record that is not complete would say that a mail never left: it goes. @returns whether the line stands */
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

  /** Ends the record. `keep`: rows of the group are still marked, and somebody has to read it once their lease is over. */
  close({ keep = false } = {}): void {
    if (!this.isOpen) return;
    if (keep) this.note();
    this.isOpen = false;
    if (keep) this.file.leave();
    else this.file.remove();
  }
}

/** A torn line may be a message that was begun: nothing is said then. */
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
