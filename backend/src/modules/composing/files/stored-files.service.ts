import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { newId } from '../../../shared/database/queries/columns.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { AppError } from '../../../shared/errors/app-error.js';
import { FileStorage } from '../../../shared/storage/file-storage.js';
import { Accounts } from '../../auth/index.js';
import {
  fileTypeRefused,
  fileInfected,
  fileScheduled,
  fileNameMissing,
  fileTakenDown,
  storageUsedUp,
  tooManyFiles,
  unknownFile,
} from '../composing.errors.js';
import { AttachmentStore } from './messages/attachment-store.service.js';
import { uploadedFileType } from './uploads/uploaded-file-type.js';
import { fileNameOf } from './uploads/file-name.js';
import { FileUses } from './file-uses.service.js';
import type { FileSpaceDto } from './file.dto.js';
import type { UploadedFile } from './uploads/file-upload.js';
import { FileScans } from './scans/file-scans.service.js';
import { lockFilesOf, storageUsed } from './file-quota.js';
import type { FileType } from './stored-file.entity.js';
import { barBytes, IS_TAKEN_DOWN } from './barred-bytes.js';
import { VirusScanner } from './scans/virus-scanner.js';
import { MB } from '../../../shared/text/bytes.js';

/** Folder in the file storage of files that are not pictures. */
export const FILE_FOLDER = 'documents';
/**
 * Maximum number of attempts at an upload. A new attempt begins if another failed upload of the same bytes removed the
 * row.
 */
const UPLOAD_TRIES = 3;
/** Maximum number of files of one account, without pictures. */
const MAX_FILES = 1_000;

interface Reserved {
  id: string;
  storageKey: string;
  storedAt: Date | null;
  scan: string;
  /** Whether an admin took down a file of this account with the same bytes. */
  isTakenDown: boolean;
  isNew: boolean;
}

/**
 * Stores files: first the row, then the bytes, then `stored_at`, which says that the bytes are stored. `FileSweep`
 * removes the rows and bytes that interrupted uploads leave behind.
 */
@Injectable()
export class StoredFiles {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: FileStorage,
    private readonly accounts: Accounts,
    private readonly scanner: VirusScanner,
    private readonly scans: FileScans,
    private readonly uses: FileUses,
    private readonly attachments: AttachmentStore,
    private readonly settings: Settings,
  ) {}

  /**
   * Stores an uploaded file. For bytes that the user has uploaded before, returns the existing file; if the storage has
   * lost them, stores them again.
   * @throws 403 if the account's space is used up, 404 if the file was deleted meanwhile, 409 if the account has the
   * maximum number of files, 415 for another type, 422 for bytes in which a virus was found before or that an admin
   * took down, 503 if the storage does not answer
   */
  async store(user: RequestUser, file: UploadedFile): Promise<{ id: string; isNew: boolean }> {
    const mediaType = await uploadedFileType(file.path, this.scanner.isOn);
    if (!mediaType) throw fileTypeRefused();
    const storageLimitMb = await this.mostMb(user.id);
    for (let tries = 1; ; tries++) {
      const row = await inTransaction(this.em, (em) => this.reserve(em, user.id, file, mediaType, storageLimitMb));
      if (row.isTakenDown) throw fileTakenDown();
      if (row.scan === 'infected') throw fileInfected();
      if ((await this.isStored(row, file.byteSize)) || (await this.keep(row, file)))
        return { id: row.id, isNew: row.isNew };
      // If the row still exists, its user deleted the file meanwhile.
      if (tries === UPLOAD_TRIES || (await this.rowExists(row.id))) throw unknownFile();
    }
  }

  /** Limits of the account's files and the space in use, in bytes. */
  async space(userId: string): Promise<FileSpaceDto> {
    const [{ bytes }, mostMb] = await Promise.all([storageUsed(this.em.fork(), userId), this.mostMb(userId)]);
    const { maxUploadMb, attachmentMaxMb, attachmentBudgetMb } = this.settings;
    return {
      usedBytes: bytes,
      limitBytes: mostMb * MB,
      fileBytes: maxUploadMb * MB,
      attachmentBytes: attachmentMaxMb * MB,
      attachmentBudgetBytes: attachmentBudgetMb * MB,
    };
  }

  /** @throws 400 if the name is empty after cleaning, 404 */
  async rename(userId: string, id: string, given: string): Promise<void> {
    const em = this.em.fork();
    const [found] = await rows<{ mediaType: FileType }>(
      em,
      `select media_type as "mediaType" from files where id = ? and user_id = ? and kind = 'document' and deleted_at is null`,
      [id, userId],
    );
    if (!found) throw unknownFile();
    const name = fileNameOf(given, found.mediaType);
    if (name === fileNameOf('', found.mediaType) && !/document/i.test(given)) throw fileNameMissing();
    const renamed = await changed(
      em,
      `update files set name = ? where id = ? and user_id = ? and deleted_at is null and stored_at is not null`,
      [name, id, userId],
    );
    if (renamed === 0) throw unknownFile();
  }

  /**
   * Deletes a file. Its links stop working at once and its name is erased. Its bytes are removed as soon as no open
   * send has it attached. The row stays while sent emails link to the file or had it attached. If the file was taken
   * down, its hash stays as well.
   * @returns false if the user has no such file
   * @throws 409 if a scheduled email uses it
   */
  async remove(userId: string, id: string): Promise<boolean> {
    const key = await inTransaction(this.em, async (em) => {
      await lockFilesOf(em, userId);
      const [gone] = await rows<{ storageKey: string }>(
        em,
        `update files set deleted_at = now(), name = '' where id = ? and user_id = ? and kind = 'document' and deleted_at is null
         returning storage_key as "storageKey"`,
        [id, userId],
      );
      if (gone) await barBytes(em, id);
      if (gone && (await this.uses.isInScheduledEmail(em, userId, id))) throw fileScheduled();
      return gone?.storageKey;
    });
    if (key === undefined) return false;
    await this.attachments.release(key);
    return true;
  }

  /**
   * Deletes a file like `remove`, unless a scheduled email uses it.
   * @returns whether the file was deleted
   */
  async removeUnlessPlanned(userId: string, id: string): Promise<boolean> {
    if (await this.uses.isInScheduledEmail(this.em.fork(), userId, id)) return false;
    return this.remove(userId, id).catch((error: unknown) => {
      if (error instanceof AppError) return false;
      throw error;
    });
  }

  /**
   * Stores the bytes of a reserved row.
   * @returns false if the row is gone: its user deleted the file, or another upload of the same bytes failed
   * @throws 503 if the storage does not answer
   */
  private async keep(reserved: Reserved, { path, byteSize }: UploadedFile): Promise<boolean> {
    const { id, storageKey } = reserved;
    await this.storage.putFile(storageKey, path, byteSize).catch(async (error: unknown) => {
      await this.forget(reserved);
      throw error;
    });
    const stored = await changed(
      this.em.fork(),
      `update files set stored_at = coalesce(stored_at, now()), used_at = now() where id = ? and deleted_at is null`,
      [id],
    );
    if (stored === 0) await this.storage.remove(storageKey);
    else await this.scans.request(id);
    return stored > 0;
  }

  /** Whether all bytes are stored. If the storage does not answer, the row is trusted. */
  private async isStored({ storedAt, storageKey }: Reserved, byteSize: number): Promise<boolean> {
    if (storedAt === null) return false;
    return this.storage.sizeOf(storageKey).then(
      (size) => size === byteSize,
      () => true,
    );
  }

  /** Whether the row exists. A file that its user deleted keeps its row at least until the nightly sweep. */
  private async rowExists(id: string): Promise<boolean> {
    return (await rows(this.em.fork(), `select 1 from files where id = ?`, [id])).length > 0;
  }

  /**
   * Deletes the row of a failed upload, and its bytes in case they were stored although the storage reported an error.
   * If another upload of the same bytes has completed, the row stays; if another one is still running, that upload
   * starts anew.
   */
  private async forget({ id, storageKey }: Reserved): Promise<void> {
    const removed = await changed(this.em.fork(), `delete from files where id = ? and stored_at is null`, [id]);
    if (removed > 0) await this.storage.remove(storageKey);
  }

  private async mostMb(userId: string): Promise<number> {
    const { plan } = await this.accounts.entitlementsOf(userId);
    return plan === 'free' ? this.settings.freeStorageMb : this.settings.proStorageMb;
  }

  private async reserve(
    em: EntityManager,
    userId: string,
    { name, byteSize, sha256 }: UploadedFile,
    mediaType: FileType,
    mostMb: number,
  ): Promise<Reserved> {
    await lockFilesOf(em, userId);
    const [present] = await rows<Omit<Reserved, 'isNew'>>(
      em,
      `select f.id, f.storage_key as "storageKey", f.stored_at as "storedAt", f.scan, ${IS_TAKEN_DOWN} as "isTakenDown"
       from files f where f.user_id = ? and f.sha256 = ? and f.deleted_at is null`,
      [userId, sha256],
    );
    if (present) return { ...present, isNew: false };
    const { bytes, files } = await storageUsed(em, userId);
    if (files >= MAX_FILES) throw tooManyFiles(MAX_FILES);
    if (bytes + byteSize > mostMb * MB) throw storageUsedUp(mostMb);
    const id = newId();
    const storageKey = `${FILE_FOLDER}/${id}`;
    const scan = this.scanner.isOn ? 'pending' : 'unscanned';
    const added = await changed(
      em,
      `insert into files (id, user_id, kind, name, media_type, byte_size, sha256, storage_key, scan)
       select f.id, f.user_id, 'document', ?::text, ?::text, ?::int, f.sha256, ?::text, ?::text
       from (values (?::uuid, ?::uuid, ?::bytea)) as f (id, user_id, sha256) where not ${IS_TAKEN_DOWN}`,
      [fileNameOf(name, mediaType), mediaType, byteSize, storageKey, scan, id, userId, sha256],
    );
    return { id, storageKey, storedAt: null, scan, isTakenDown: added === 0, isNew: true };
  }
}
