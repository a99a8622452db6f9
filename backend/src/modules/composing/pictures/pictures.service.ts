import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { unknownPicture } from '../composing.errors.js';
import type { DocumentJson } from '../document/document.js';
import type { PictureSource } from '../document/html-renderer.js';
import type { ReadDocument } from '../document/read-document.js';
import { pictureIdsIn, picturesOf } from '../document/render-document.js';
import type { PictureType } from '../files/stored-file.entity.js';

const EXTENSIONS: Record<PictureType, string> = { 'image/png': 'png', 'image/jpeg': 'jpg' };

interface Picture {
  id: string;
  publicToken: string;
  mediaType: PictureType;
  width: number;
  height: number;
}

/** The pictures in documents: reads their URLs, checks their owner, and locks them against deletion. */
@Injectable()
export class Pictures {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
  ) {}

  /** @throws 404 if one of the document's pictures is not the user's */
  async assertOwn(userId: string, document: ReadDocument): Promise<void> {
    await this.sourceFor(userId, document);
  }

  /**
   * Runs `save` while the pictures of a document are locked against deletion.
   * @throws 404 if one of them is not the user's, or was deleted
   */
  async keeping<T>(
    userId: string,
    document: DocumentJson | null | undefined,
    save: (em: EntityManager) => Promise<T>,
  ): Promise<T> {
    const ids = document ? pictureIdsIn(document) : [];
    if (ids.length === 0) return save(this.em.fork());
    return inTransaction(this.em, async (em) => {
      await this.lock(em, userId, ids);
      return save(em);
    });
  }

  /**
   * Locks pictures against deletion until the transaction ends.
   * @throws 404 if one of them is not the user's, or was deleted
   */
  async lock(em: EntityManager, userId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    const found = await rows<{ id: string }>(
      em,
      `select id from files where user_id = ? and id = any(?::uuid[]) order by id for key share`,
      [userId, ids],
    );
    if (found.length < ids.length) throw unknownPicture();
  }

  /** Locks all pictures of a document like `lock`. */
  lockShown(em: EntityManager, userId: string, document: DocumentJson): Promise<void> {
    return this.lock(em, userId, pictureIdsIn(document));
  }

  /**
   * Records the pictures that a send shows, in the transaction that accepts it.
   * @throws 404 if one of them is not the user's, or was deleted
   */
  async noteSent(em: EntityManager, userId: string, sendId: string, ids: readonly string[]): Promise<void> {
    await this.lock(em, userId, ids);
    if (ids.length > 0)
      await rows(em, `insert into sent_pictures (history_id, file_id) select ?::uuid, unnest(?::uuid[])`, [
        sendId,
        ids,
      ]);
  }

  /**
   * URLs and sizes of a document's pictures.
   * @throws 404 if one of them is not the user's
   */
  sourceFor(userId: string, document: ReadDocument): Promise<PictureSource> {
    return this.sourceOf(userId, picturesOf(document));
  }

  /**
   * URLs and sizes of pictures.
   * @param ids without duplicates
   * @throws 404 if one of them is not the user's
   */
  async sourceOf(userId: string, ids: readonly string[]): Promise<PictureSource> {
    const found =
      ids.length === 0
        ? []
        : await rows<Picture>(
            this.em.fork(),
            `select id, public_token as "publicToken", media_type as "mediaType", width, height from files
             where user_id = ? and kind = 'image' and stored_at is not null
               and id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
            [userId, JSON.stringify(ids)],
          );
    if (found.length < ids.length) throw unknownPicture();
    const byId = new Map(found.map((picture) => [picture.id, picture]));
    return {
      of: (fileId) => {
        const picture = byId.get(fileId)!;
        return { url: this.urlOf(picture), width: picture.width, height: picture.height };
      },
    };
  }

  urlOf({ publicToken, mediaType }: Pick<Picture, 'publicToken' | 'mediaType'>): string {
    return `${this.settings.appUrl}/media/${publicToken}.${EXTENSIONS[mediaType]}`;
  }
}
