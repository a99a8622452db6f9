import type { Readable } from 'node:stream';
import { Injectable, Logger } from '@nestjs/common';
import { FileStorage } from '../../../shared/storage/file-storage.js';
import { type AttachedFile, attachmentTail, UnusableAttachment } from './attachment-tail.js';

/**
 * Limits of the cache per process: number of tails, and their total size in bytes. The last used tail is always kept.
 */
const MAX_CACHED_TAILS = 2;
const MAX_CACHED_BYTES = 16 * 1024 * 1024;

/** The attached files cannot be read at the moment. The messages wait and are tried again. */
export class AttachmentsUnavailable extends Error {}

/** The file storage has lacked an attached file for so long that the send stops waiting for it. */
export class AttachmentsLost extends AttachmentsUnavailable {}

/** Callbacks that report whether the attached files of a send could be read. */
export interface TailReading {
  /**
   * @param areMissing true: the file storage lacks one of the files; false: it does not answer
   * @returns whether the send gives up waiting for the files
   */
  failed: (areMissing: boolean) => Promise<boolean>;
  /**
   * Called when the files could be read. Also called when a cached tail is used, because another process may have
   * failed to read the files meanwhile.
   */
  succeeded: () => Promise<void>;
}

interface Kept {
  tail: Promise<Buffer>;
  /** Size of the tail; 0 while the tail is being encoded. */
  bytes: number;
}

/** Encodes the attached files of a send once for all its messages. */
@Injectable()
export class AttachmentEncoder {
  private readonly log = new Logger(AttachmentEncoder.name);
  /** Cached tails by id of the send, the least recently used first. */
  private readonly kept = new Map<string, Kept>();

  constructor(private readonly storage: FileStorage) {}

  /**
   * Returns the end of every message of a send: the encoded files, which follow the text and HTML parts.
   * @param id id of the send, from which the MIME boundaries are derived
   * @param files lists the files; called if the tail is not cached
   * @param reading records whether the files could be read; absent: not recorded
   * @throws AttachmentsUnavailable, AttachmentsLost
   */
  async of(
    id: string,
    files: () => Promise<readonly AttachedFile[]> | readonly AttachedFile[],
    reading?: TailReading,
  ): Promise<Buffer> {
    const cached = this.kept.get(id);
    const kept = cached ?? { tail: this.make(id, files, reading), bytes: 0 };
    this.kept.delete(id);
    this.kept.set(id, kept);
    this.trim();
    try {
      const tail = await kept.tail;
      kept.bytes = tail.length;
      this.trim();
      if (cached) await reading?.succeeded();
      return tail;
    } catch (error) {
      if (this.kept.get(id) === kept) this.kept.delete(id);
      throw error;
    }
  }

  private async make(
    id: string,
    files: () => Promise<readonly AttachedFile[]> | readonly AttachedFile[],
    reading?: TailReading,
  ): Promise<Buffer> {
    const named = await files();
    try {
      const tail = await attachmentTail(id, named, (file) => this.open(file));
      await reading?.succeeded();
      return tail;
    } catch (error) {
      const areLost = await reading?.failed(error instanceof UnusableAttachment);
      this.log.warn(
        { err: error, sendId: id, code: areLost ? 'attachments_lost' : 'attachments_unavailable' },
        areLost ? 'attached files are lost; their send ends' : 'attached files cannot be read; their send waits',
      );
      const FilesError = areLost ? AttachmentsLost : AttachmentsUnavailable;
      throw new FilesError('attached files cannot be read', { cause: error });
    }
  }

  private async open({ storageKey }: AttachedFile): Promise<Readable> {
    const bytes = await this.storage.stream(storageKey);
    if (!bytes) throw new UnusableAttachment('the file storage has no such file');
    return bytes;
  }

  private trim(): void {
    let bytes = 0;
    for (const kept of this.kept.values()) bytes += kept.bytes;
    for (const [id, kept] of this.kept) {
      if (this.kept.size <= 1 || (this.kept.size <= MAX_CACHED_TAILS && bytes <= MAX_CACHED_BYTES)) return;
      this.kept.delete(id);
      bytes -= kept.bytes;
    }
  }
}
