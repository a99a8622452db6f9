import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { SendStates } from '../../history/index.js';
import type { AttachedFile } from './attachment-tail.js';
import type { TailReading } from './attachment-encoder.service.js';

/**
 * Why attached files are no longer sent: an admin took one down, a later scan found a virus, or the file storage has had
 * no bytes of one for FILES_MISSING_HOURS. Whether files are lost is never stored: each batch reads them again.
 */
export type AttachmentWithdrawal = 'taken_down' | 'infected' | 'lost';

/** The reason as text, for the list of recipients who were left out. */
export const WITHDRAWN: Record<AttachmentWithdrawal, string> = {
  taken_down: 'An attached file was taken down',
  infected: 'A virus was found in an attached file',
  lost: 'An attached file is no longer stored',
};

/**
 * Reads the attached files of sends. Implemented by the module that stores them; neither module depends on the other.
 */
export interface AttachmentSource {
  /** The attached files of a send, in their order. */
  of(sendId: string): Promise<AttachedFile[]>;
  /** Why the files may no longer be sent, stored or not; null where they may. */
  withdrawalOf(sendId: string): Promise<Exclude<AttachmentWithdrawal, 'lost'> | null>;
  /** Whether all files still exist unchanged, so that an ended send can be continued. */
  areUnchanged(em: EntityManager, sendId: string): Promise<boolean>;
  /** Whether the file storage has the bytes of all files. @throws 503 where it does not answer */
  areStored(sendId: string): Promise<boolean>;
  /**
   * Locks the files of a send that is continued, in the transaction that reopens it.
   * @throws 410 where one was deleted or replaced meanwhile
   */
  lockUnchanged(em: EntityManager, sendId: string): Promise<void>;
}

/** Time in ms for which the answer "not withdrawn" is cached. */
const CACHE_MS = 1_000;
/** Sends whose answers are cached. */
const CACHED_SENDS = 100;

/**
 * The attached files of sends, for their delivery. The source is registered at start. Only asked about sends that have
 * attachments.
 */
@Injectable()
export class AttachmentRegistry {
  private readonly log = new Logger(AttachmentRegistry.name);
  private source?: AttachmentSource;
  private readonly known = new Map<string, { withdrawal: AttachmentWithdrawal | null; goodUntil: number }>();

  constructor(
    private readonly em: EntityManager,
    private readonly states: SendStates,
  ) {}

  readFrom(source: AttachmentSource): void {
    this.source = source;
  }

  of(sendId: string): Promise<AttachedFile[]> {
    return this.registered.of(sendId);
  }

  /**
   * Why the attached files of a send may no longer be sent, stored or not; null where they may. Cached for a second; a
   * withdrawal is final and cached for longer.
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

  /** Records in a send's history whether its attached files can be read. A failure to record is only logged. */
  readingOf(sendId: string): TailReading {
    const unrecorded = (error: unknown): false => {
      this.log.warn(
        { err: error, sendId, code: 'file_wait_unrecorded' },
        'the history does not say whether attached files can be read',
      );
      return false;
    };
    return {
      failed: (areMissing) => this.states.filesUnread(this.em.fork(), sendId, areMissing).catch(unrecorded),
      succeeded: async () => void (await this.states.filesRead(this.em.fork(), sendId).catch(unrecorded)),
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

  /** @throws where no source is registered: a message must not be sent without its attachments */
  private get registered(): AttachmentSource {
    if (!this.source) throw new Error('no module stores attachments');
    return this.source;
  }
}
