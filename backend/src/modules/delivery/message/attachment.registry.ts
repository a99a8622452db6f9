import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { FileWaits } from '../../history/index.js';
import type { AttachedFile } from './attachment-tail.js';
import type { TailReading } from './attachment-encoder.service.js';

/**
 * Why attached files are no longer sent: an admin took one down, a later scan found a virus, or the file storage has
 * lacked one for FILES_MISSING_HOURS. `lost` is never stored: each batch tries again to read the files.
 */
export type AttachmentWithdrawal = 'taken_down' | 'infected' | 'lost';

/** The reasons as text, for the list of skipped recipients. */
export const WITHDRAWN: Record<AttachmentWithdrawal, string> = {
  taken_down: 'An attached file was taken down',
  infected: 'A virus was found in an attached file',
  lost: 'An attached file is no longer stored',
};

/**
 * Reads the attached files of sends. Implemented by the module that stores them; neither module depends on the other.
 */
export interface AttachmentSource {
  /** Lists the attached files of a send, in their order. */
  of(sendId: string): Promise<AttachedFile[]>;
  /** @returns why the files may no longer be sent, whether or not they are stored; null: they may be sent */
  withdrawalOf(sendId: string): Promise<Exclude<AttachmentWithdrawal, 'lost'> | null>;
  /** Whether all files still exist unchanged, so that an ended send can be continued. */
  areUnchanged(em: EntityManager, sendId: string): Promise<boolean>;
  /** Whether the file storage has all files. @throws 503 if it does not answer */
  areStored(sendId: string): Promise<boolean>;
  /**
   * Locks the files of a send that is continued, in the transaction that reopens the send.
   * @throws 410 if a file was deleted or replaced meanwhile
   */
  lockUnchanged(em: EntityManager, sendId: string): Promise<void>;
}

/** Ms for which the answer "not withdrawn" is cached. */
const CACHE_MS = 1_000;
/** Maximum number of sends whose answers are cached. */
const CACHED_SENDS = 100;

/**
 * Gives delivery access to the attached files of sends. The module that stores the files registers itself at start.
 * Only call it for sends that have attachments.
 */
@Injectable()
export class AttachmentRegistry {
  private readonly log = new Logger(AttachmentRegistry.name);
  private source?: AttachmentSource;
  private readonly known = new Map<string, { withdrawal: AttachmentWithdrawal | null; goodUntil: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly fileWaits: FileWaits,
  ) {}

  readFrom(source: AttachmentSource): void {
    this.source = source;
  }

  of(sendId: string): Promise<AttachedFile[]> {
    return this.registered.of(sendId);
  }

  /**
   * Asks whether the attached files of a send were withdrawn. The answer "not withdrawn" is cached for a second; a
   * withdrawal is final, so it is cached for longer.
   * @returns why the files may no longer be sent, whether or not they are stored; null: they may be sent
   */
  async withdrawalOf(sendId: string): Promise<AttachmentWithdrawal | null> {
    const known = this.known.get(sendId);
    if (known && (known.withdrawal || known.goodUntil > performance.now())) return known.withdrawal;
    const withdrawal = await this.registered.withdrawalOf(sendId);
    this.known.delete(sendId);
    this.known.set(sendId, { withdrawal, goodUntil: performance.now() + CACHE_MS });
    if (this.known.size > CACHED_SENDS) this.known.delete(this.known.keys().next().value!);
    return withdrawal;
  }

  /**
   * Callbacks that record in a send's history whether its attached files can be read. If recording fails, that is only
   * logged.
   */
  readingOf(sendId: string): TailReading {
    const unrecorded = (error: unknown): false => {
      this.log.warn(
        { err: error, sendId, code: 'file_wait_unrecorded' },
        'the history does not say whether attached files can be read',
      );
      return false;
    };
    return {
      failed: async (areMissing) => {
        const em = this.em.fork();
        if (areMissing) return this.fileWaits.noteMissing(em, sendId).catch(unrecorded);
        await this.fileWaits.noteUnanswered(em, sendId).catch(unrecorded);
        return false;
      },
      succeeded: async () => void (await this.fileWaits.noteReadable(this.em.fork(), sendId).catch(unrecorded)),
    };
  }

  areUnchanged(em: EntityManager, sendId: string): Promise<boolean> {
    return this.registered.areUnchanged(em, sendId);
  }

  areStored(sendId: string): Promise<boolean> {
    return this.registered.areStored(sendId);
  }

  lockUnchanged(em: EntityManager, sendId: string): Promise<void> {
    return this.registered.lockUnchanged(em, sendId);
  }

  /** @throws if no source is registered, because a message must not be sent without its attachments */
  private get registered(): AttachmentSource {
    if (!this.source) throw new Error('no module stores attachments');
    return this.source;
  }
}
