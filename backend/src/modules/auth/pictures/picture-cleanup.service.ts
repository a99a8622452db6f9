import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import type { PictureType } from '../entities/user-avatar.entity.js';
import { stripPicture } from './strip-picture.js';

const MINUTE_MS = 60_000;

/** Removes metadata from pictures that older versions stored. Until then, serving a picture removes its metadata. */
@Injectable()
export class PictureCleanup {
  private readonly log = new Logger(PictureCleanup.name);

  constructor(
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
  ) {}

  @Interval(MINUTE_MS)
  async run(): Promise<void> {
    await this.runner
      .run('auth.picture-cleanup', () => this.cleanAll())
      .catch((error: unknown) =>
        this.log.error(
          { err: error, code: 'picture_cleanup_failed' },
          'stored pictures could not be cleaned; the next round tries again',
        ),
      );
  }

  async cleanAll(): Promise<void> {
    while (await this.cleanOne());
  }

  /** @returns false if there are no such pictures left */
  private async cleanOne(): Promise<boolean> {
    const em = this.em.fork();
    const [picture] = await rows<{ id: string; userId: string; contentType: PictureType; content: Buffer }>(
      em,
      `select id, user_id as "userId", content_type as "contentType", content from user_avatars where stripped_id is distinct from id limit 1`,
    );
    if (!picture) return false;
    const { id, userId, contentType, content } = picture;
    const stripped = await stripPicture(contentType, content).catch(() => undefined);
    if (stripped)
      await changed(em, `update user_avatars set content = ?, stripped_id = id where id = ?`, [stripped, id]);
    else await this.remove(id, userId);
    return true;
  }

  /** Deletes a picture that cannot be parsed, because it may contain any data. */
  private async remove(id: string, userId: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const count = await changed(em, `delete from user_avatars where id = ?`, [id]);
      if (count > 0)
        await changed(
          em,
          `update users set profile_image_url = null, updated_at = now() where id = ? and profile_image_url like ?`,
          [userId, `%/${id}`],
        );
    });
    this.log.warn({ userId, code: 'picture_unreadable' }, 'a stored picture could not be read and was removed');
  }
}
