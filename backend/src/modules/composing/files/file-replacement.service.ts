import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { isUuid } from '../../../shared/text/formats.js';
import {
  fileInfected,
  fileInUse,
  fileNotReady,
  fileReported,
  fileTakenDown,
  unknownFile,
} from '../composing.errors.js';
import { AttachmentStore } from './messages/attachment-store.service.js';
import { fileNameOf } from './uploads/file-name.js';
import { lockFilesOf } from './file-quota.js';
import { IS_TAKEN_DOWN } from './barred-bytes.js';
import { fileStateOf, type FileStateFacts, STATE_COLUMNS } from './file-state.js';
import { FileUses } from './file-uses.service.js';
import type { FileType } from './stored-file.entity.js';
import { VirusScanner } from './scans/virus-scanner.js';

interface LockedFile extends FileStateFacts {
  id: string;
  name: string;
  storageKey: string;
  mediaType: FileType;
  reportedAt: Date | null;
  /** Whether an admin took down a file of this account with the same bytes. */
  isTakenDown: boolean;
}

/**
 * Replaces the bytes of a file by those of another one, so that the links of sent emails lead to the new version.
 * Sends that have the file attached keep the old bytes.
 */
@Injectable()
export class FileReplacement {
  constructor(
    private readonly em: EntityManager,
    private readonly attachments: AttachmentStore,
    private readonly scanner: VirusScanner,
    private readonly uses: FileUses,
  ) {}

  /**
   * Moves the bytes of one file to another.
   * @param id the file that gets the bytes
   * @param withId the file from which the bytes are taken; its row is deleted
   * @throws 404 if the user does not have both files or one was taken down, 409 if one was reported, or if `withId` is
   * still being checked or an email uses `withId`, 422 if `withId` contains a virus or an admin took its bytes down
   */
  async replace(userId: string, id: string, withId: string): Promise<void> {
    if (!isUuid(withId) || withId.toLowerCase() === id) throw unknownFile();
    const oldKey = await inTransaction(this.em, async (em) => {
      await lockFilesOf(em, userId);
      const held = await rows<LockedFile>(
        em,
        `select f.id, f.name, f.storage_key as "storageKey", f.media_type as "mediaType", f.reported_at as "reportedAt", ${IS_TAKEN_DOWN} as "isTakenDown", ${STATE_COLUMNS}
         from files f where f.user_id = ? and f.id in (?, ?) and f.kind = 'document' and f.deleted_at is null order by f.id for update`,
        [userId, id, withId],
      );
      const old = held.find((file) => file.id === id);
      const next = held.find((file) => file.id !== id);
      if (!old || !next || old.takenDownAt) throw unknownFile();
      const state = fileStateOf(next, this.scanner.isOn);
      if (state === 'gone') throw unknownFile();
      if (next.isTakenDown) throw fileTakenDown();
      // A take-down after the replacement would bar bytes that nobody reported.
      if (old.reportedAt || next.reportedAt) throw fileReported();
      if (state === 'refused') throw fileInfected();
      if (state === 'checking') throw fileNotReady(next.name);
      if (await this.uses.isUsed(em, userId, next.id)) throw fileInUse();
      // The old row takes over the bytes of the new row, and their scan. Then the new row is deleted.
      const [moved] = await rows<{
        byteSize: number;
        sha256: Buffer;
        scan: string;
        scannedAt: Date | null;
        storedAt: Date;
      }>(
        em,
        `delete from files where id = ? returning byte_size as "byteSize", sha256, scan, scanned_at as "scannedAt", stored_at as "storedAt"`,
        [next.id],
      );
      const { byteSize, sha256, scan, scannedAt, storedAt } = moved!;
      await rows(
        em,
        `update files set name = ?, media_type = ?, byte_size = ?, sha256 = ?, storage_key = ?, scan = ?, scanned_at = ?::timestamptz, stored_at = ?::timestamptz, used_at = now()
         where id = ?`,
        [
          fileNameOf(old.name, next.mediaType),
          next.mediaType,
          byteSize,
          sha256,
          next.storageKey,
          scan,
          scannedAt,
          storedAt,
          id,
        ],
      );
      return old.storageKey;
    });
    await this.attachments.release(oldKey);
  }
}
