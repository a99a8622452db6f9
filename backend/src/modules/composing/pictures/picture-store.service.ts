import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { newId } from '../../../shared/database/queries/columns.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { FileStorage } from '../../../shared/storage/file-storage.js';
import { mintToken } from '../../../shared/tokens/tokens.js';
import { Accounts } from '../../auth/index.js';
import { pictureInUse, storageUsedUp, tooManyPictures, unknownPicture } from '../composing.errors.js';
import { PlannedUses } from '../planned-uses.registry.js';
import { lockFilesOf, storageUsed } from '../files/file-quota.js';
import type { UploadedPicture } from './picture-upload.js';
import type { PictureType } from '../files/stored-file.entity.js';

/** Folder of pictures in the file storage. */
export const PICTURE_FOLDER = 'pictures';
/** Maximum number of pictures of one account. */
const MAX_PICTURES = 500;

/** An uploaded picture's row. */
export interface StoredPicture {
  id: string;
  name: string;
  mediaType: PictureType;
  byteSize: number;
  width: number;
  height: number;
  storageKey: string;
  publicToken: string;
  createdAt: Date;
  storedAt: Date | null;
}

const COLUMNS = `id, name, media_type as "mediaType", byte_size as "byteSize", width, height, storage_key as "storageKey", public_token as "publicToken", created_at as "createdAt", stored_at as "storedAt"`;

/** SQL condition: a document shows a picture. Its parameter is the id of the picture. */
const SHOWS = `jsonb_path_query_array(document, '$.**.fileId') @> to_jsonb(?::text)`;
const USES = `select 'send' as place from sent_pictures where file_id = ?
  union all select 'draft' from email_drafts where user_id = ? and ${SHOWS}
  union all select 'template' from email_templates where owner_id = ? and ${SHOWS}
  union all select 'profile' from sender_profiles
    where user_id = ? and (logo_file_id = ? or jsonb_path_query_array(jsonb_build_array(signature, footer), '$.**.fileId') @> to_jsonb(?::text)) limit 1`;

/**
 * Stores pictures, and reads them for the public: first the row, then the bytes, then `stored_at`, which says that the
 * bytes are stored.
 */
@Injectable()
export class PictureStore {
  constructor(
    private readonly em: EntityManager,
    private readonly storage: FileStorage,
    private readonly planned: PlannedUses,
    private readonly accounts: Accounts,
    private readonly settings: Settings,
  ) {}

  /**
   * Stores a picture. For bytes that the user has uploaded before, returns the existing picture.
   * @throws 403 if the account's space is used up, 409 if it has the maximum number of pictures
   */
  async store(userId: string, picture: UploadedPicture): Promise<{ picture: StoredPicture; isNew: boolean }> {
    const sha256 = createHash('sha256').update(picture.content).digest();
    const { plan } = await this.accounts.entitlementsOf(userId);
    const mostMb = plan === 'free' ? this.settings.freeStorageMb : this.settings.proStorageMb;
    const { row, isNew } = await this.reserve(userId, picture, sha256, mostMb);
    if (row.storedAt === null) {
      await this.storage.put(row.storageKey, picture.content);
      await rows(this.em.fork(), `update files set stored_at = coalesce(stored_at, now()) where id = ?`, [row.id]);
    }
    return { picture: row, isNew };
  }

  /**
   * Storage key of a public picture.
   * @returns null if there is no such picture
   */
  async keyOf(publicToken: string, mediaType: PictureType): Promise<string | null> {
    const [found] = await rows<{ storageKey: string }>(
      this.em.fork(),
      `select storage_key as "storageKey" from files where public_token = ? and media_type = ? and stored_at is not null`,
      [publicToken, mediaType],
    );
    return found?.storageKey ?? null;
  }

  /** @returns null if the bytes are missing */
  read(storageKey: string): Promise<Buffer | null> {
    return this.storage.read(storageKey);
  }

  /**
   * Deletes a picture that nothing shows. The row is deleted first; the nightly sweep removes bytes that a crash leaves
   * behind.
   * @throws 404, 409 if a send, a scheduled email, a draft, a template or the sender profile shows it
   */
  async remove(userId: string, id: string): Promise<void> {
    const key = await inTransaction(this.em, async (em) => {
      await lockFilesOf(em, userId);
      // Waits for saves of drafts and templates with this picture, which hold a lock on its row.
      const [held] = await rows<{ storageKey: string }>(
        em,
        `select storage_key as "storageKey" from files where id = ? and user_id = ? and kind = 'image' for update`,
        [id, userId],
      );
      if (!held) throw unknownPicture();
      const [use] = await rows<{ place: 'send' | 'draft' | 'template' | 'profile' }>(em, USES, [
        id,
        userId,
        id,
        userId,
        id,
        userId,
        id,
        id,
      ]);
      if (use) throw pictureInUse(use.place);
      if (await this.planned.showsPicture(em, userId, id)) throw pictureInUse('scheduled');
      await rows(em, `delete from files where id = ?`, [id]);
      return held.storageKey;
    });
    await this.storage.remove(key);
  }

  private reserve(
    userId: string,
    picture: UploadedPicture,
    sha256: Buffer,
    mostMb: number,
  ): Promise<{ row: StoredPicture; isNew: boolean }> {
    return inTransaction(this.em, async (em) => {
      await lockFilesOf(em, userId);
      const [present] = await rows<StoredPicture>(
        em,
        `select ${COLUMNS} from files where user_id = ? and sha256 = ? and kind = 'image' and deleted_at is null`,
        [userId, sha256],
      );
      if (present) return { row: present, isNew: false };
      const { bytes, pictures } = await storageUsed(em, userId);
      if (pictures >= MAX_PICTURES) throw tooManyPictures(MAX_PICTURES);
      if (bytes + picture.content.length > mostMb * 1024 * 1024) throw storageUsedUp(mostMb);
      const id = newId();
      const [made] = await rows<StoredPicture>(
        em,
        `insert into files (id, user_id, kind, name, media_type, byte_size, sha256, storage_key, public_token, width, height)
         values (?, ?, 'image', ?, ?, ?, ?, ?, ?, ?, ?) returning ${COLUMNS}`,
        [
          id,
          userId,
          picture.name,
          picture.mediaType,
          picture.content.length,
          sha256,
          `${PICTURE_FOLDER}/${id}`,
          mintToken(),
          picture.width,
          picture.height,
        ],
      );
      return { row: made!, isNew: true };
    });
  }
}
