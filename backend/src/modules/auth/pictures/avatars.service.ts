import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import express, { type Request } from 'express';
import { imageSize } from 'image-size';
import { newId } from '../../../shared/database/queries/columns.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import {
  noSuchPicture,
  pictureNotTaken,
  pictureTooLarge,
  pictureUnreadable,
  UnreadablePicture,
} from '../auth.errors.js';
import type { PictureType } from '../entities/user-avatar.entity.js';
import { stripPicture } from './strip-picture.js';

const MAX_BYTES = 512 * 1024;
const MAX_SIDE_PIXELS = 2048;
const TYPES: Record<string, PictureType> = { png: 'image/png', jpg: 'image/jpeg', webp: 'image/webp' };
const readBody = express.raw({ type: () => true, limit: MAX_BYTES });

/** Type and bytes of a picture that a response sends. */
export interface ServedPicture {
  contentType: PictureType;
  content: Buffer;
}

/**
 * Profile pictures. Detects the type from the bytes, and removes metadata before storing. Also removes metadata when it
 * serves a picture that an older version stored.
 */
@Injectable()
export class Avatars {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Stores the body of a request as the user's picture.
   * @throws 400, 413, 415
   */
  async replace(userId: string, req: Request, client: Client): Promise<void> {
    const body = await bodyOf(req);
    const contentType = typeOf(body);
    const content = await withoutMetadata(contentType, body);
    const id = newId();
    await inTransaction(this.em, async (em) => {
      await changed(
        em,
        `insert into user_avatars (id, user_id, content_type, content, stripped_id) values (?, ?, ?, ?, ?)
         on conflict (user_id) do update set id = excluded.id, content_type = excluded.content_type, content = excluded.content,
           stripped_id = excluded.stripped_id, created_at = now()`,
        [id, userId, contentType, content, id],
      );
      await changed(em, `update users set profile_image_url = ?, updated_at = now() where id = ?`, [
        `/api/avatars/${id}`,
        userId,
      ]);
      await this.audit.record(em, { kind: 'picture.changed', userId, client });
    });
  }

  async remove(userId: string, client: Client): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const count = await changed(em, `delete from user_avatars where user_id = ?`, [userId]);
      await changed(em, `update users set profile_image_url = null, updated_at = now() where id = ?`, [userId]);
      if (count > 0) await this.audit.record(em, { kind: 'picture.removed', userId, client });
    });
  }

  /** @throws 404 for an unknown id */
  async byId(id: string): Promise<ServedPicture> {
    const [picture] = await rows<ServedPicture & { isStripped: boolean }>(
      this.em.fork(),
      `select content_type as "contentType", content, stripped_id is not distinct from id as "isStripped" from user_avatars where id = ?`,
      [id],
    );
    if (!picture) throw noSuchPicture();
    const { contentType, content, isStripped } = picture;
    if (isStripped) return { contentType, content };
    return {
      contentType,
      content: await stripPicture(contentType, content).catch(() => Promise.reject(noSuchPicture())),
    };
  }
}

async function withoutMetadata(type: PictureType, source: Buffer): Promise<Buffer> {
  const content = await stripPicture(type, source).catch((error: unknown) => {
    throw error instanceof UnreadablePicture ? pictureUnreadable() : error;
  });
  if (content.length > MAX_BYTES) throw pictureTooLarge();
  return content;
}

async function bodyOf(req: Request): Promise<Buffer> {
  // Refuses by Content-Length, because the parser would first read the whole body.
  if (Number(req.get('content-length')) > MAX_BYTES) throw pictureTooLarge();
  await new Promise<void>((resolve, reject) => {
    readBody(req, req.res!, (error?: unknown) =>
      error ? reject((error as { status?: number }).status === 413 ? pictureTooLarge() : (error as Error)) : resolve(),
    );
  });
  if (!Buffer.isBuffer(req.body) || req.body.length === 0) throw pictureNotTaken();
  return req.body;
}

function typeOf(content: Buffer): PictureType {
  const { type, width, height } = measured(content);
  const contentType = TYPES[type ?? ''];
  if (!contentType) throw pictureNotTaken();
  if (!(width > 0 && height > 0 && width <= MAX_SIDE_PIXELS && height <= MAX_SIDE_PIXELS)) throw pictureUnreadable();
  return contentType;
}

function measured(content: Buffer): { type?: string; width: number; height: number } {
  try {
    return imageSize(content);
  } catch {
    throw pictureNotTaken();
  }
}
