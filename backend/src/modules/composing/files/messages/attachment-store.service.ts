import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../../shared/database/queries/rows.js';
import { FileStorage } from '../../../../shared/storage/file-storage.js';
import { attachmentGone } from '../../composing.errors.js';
import type { PreparedFile } from './message-files.service.js';
import type { FileType } from '../stored-file.entity.js';

/** An attached file, with the name, type and bytes that the messages of its send have. */
export interface StoredAttachment {
  name: string;
  mediaType: FileType;
  byteSize: number;
  storageKey: string;
}

/** The reasons in delivery's AttachmentWithdrawal that this module decides. This module must not import that type. */
type Withdrawal = 'taken_down' | 'infected';

const COLUMNS = `name, media_type as "mediaType", byte_size as "byteSize", storage_key as "storageKey"`;
/**
 * SQL condition: an open send has the bytes of a storage key attached.
 * @param key SQL of the storage key
 */
export const isAttachedTo = (key: string): string =>
  `exists (select 1 from send_attachments a join email_history h on h.id = a.history_id where a.storage_key = ${key} and h.status = 'pending')`;

/**
 * Files that are attached to sends. The bytes of a send's attachments stay stored until the send has ended, even if the
 * file is deleted, replaced or no longer used. See decisions.md: attached-files.
 */
@Injectable()
export class AttachmentStore {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: FileStorage,
  ) {}

  /** The attached files of a send, in their order. */
  of(sendId: string): Promise<StoredAttachment[]> {
    return rows<StoredAttachment>(
      this.em.fork(),
      `select ${COLUMNS} from send_attachments where history_id = ? order by position`,
      [sendId],
    );
  }

  /** The attached files of a message that was not sent yet, in their order. */
  async chosen(userId: string, files: readonly PreparedFile[]): Promise<StoredAttachment[]> {
    const ids = files.filter(({ as }) => as === 'attachment').map(({ fileId }) => fileId);
    if (ids.length === 0) return [];
    return rows<StoredAttachment>(
      this.em.fork(),
      `select ${COLUMNS} from files where user_id = ? and id = any(?::uuid[]) and deleted_at is null order by array_position(?::uuid[], id)`,
      [userId, ids, ids],
    );
  }

  /**
   * Whether the attached files of a send were withdrawn. Does not check whether their bytes are stored.
   * @returns why they may no longer be sent; null if they may be sent
   */
  async withdrawalOf(sendId: string): Promise<Withdrawal | null> {
    const [found] = await rows<{ why: Withdrawal | null }>(
      this.em.fork(),
      `select case when bool_or(f.taken_down_at is not null) then 'taken_down' when bool_or(f.scan = 'infected' and f.storage_key = a.storage_key) then 'infected' end as why
       from send_attachments a join files f on f.id = a.file_id where a.history_id = ?`,
      [sendId],
    );
    return found?.why ?? null;
  }

  /** Whether the files under all of these storage keys may be sent. */
  async mayBeSent(keys: readonly string[]): Promise<boolean> {
    const found = await rows(
      this.em.fork(),
      `select 1 from files where storage_key = any(?::text[]) and deleted_at is null and taken_down_at is null and scan <> 'infected'`,
      [keys],
    );
    return found.length === keys.length;
  }

  /** Whether all attached files of an ended send still exist unchanged. */
  async areUnchanged(em: EntityManager, sendId: string): Promise<boolean> {
    return (await this.missing(em, sendId, '')) === 0;
  }

  /**
   * Whether the file storage has all bytes of the attached files of a send.
   * @throws 503 if the storage does not answer
   */
  async areStored(sendId: string): Promise<boolean> {
    const stored = await Promise.all(
      (await this.of(sendId)).map(
        async ({ storageKey, byteSize }) => (await this.storage.sizeOf(storageKey)) === byteSize,
      ),
    );
    return stored.every(Boolean);
  }

  /**
   * Locks the files of an ended send that is continued, in the transaction that reopens the send. If a file was deleted
   * before, this call fails; a later deletion leaves the bytes in place until the send has ended.
   * @throws 410 if a file was deleted, replaced, taken down or found infected
   */
  async lockUnchanged(em: EntityManager, sendId: string): Promise<void> {
    if ((await this.missing(em, sendId, 'for share of f')) > 0) throw attachmentGone();
  }

  /**
   * Removes the bytes of a deleted or replaced file. If an open send has the bytes attached, they stay, and `FileSweep`
   * removes them later.
   */
  async release(storageKey: string): Promise<void> {
    const needed = await rows(this.em.fork(), `select 1 where ${isAttachedTo('?')}`, [storageKey]);
    if (needed.length === 0) await this.storage.remove(storageKey);
  }

  private async missing(em: EntityManager, sendId: string, lock: string): Promise<number> {
    const held = await rows(
      em,
      `select 1 from send_attachments a join files f on f.id = a.file_id and f.storage_key = a.storage_key
       where a.history_id = ? and f.deleted_at is null and f.taken_down_at is null and f.scan <> 'infected' ${lock}`,
      [sendId],
    );
    const [named] = await rows<{ count: number }>(
      em,
      `select count(*)::int as count from send_attachments where history_id = ?`,
      [sendId],
    );
    // If the send has no rows of attachments, it is unknown which files it had, so the send must not be continued.
    return named!.count === 0 ? 1 : named!.count - held.length;
  }
}
