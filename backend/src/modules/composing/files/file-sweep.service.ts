import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { Retention } from '../../../shared/retention/retention.js';
import { FileStorage } from '../../../shared/storage/file-storage.js';
import { PICTURE_FOLDER } from '../pictures/picture-store.service.js';
import { isAttachedTo } from './messages/attachment-store.service.js';
import { FILE_FOLDER, StoredFiles } from './stored-files.service.js';
import { draftNamesFile } from './file-uses.service.js';
import { NIL_UUID } from '../../../shared/text/formats.js';

/**
 * Days after which a file is deleted if it was neither uploaded, sent nor downloaded in that time. Files hold personal
 * data, so unused files are not kept.
 */
const UNUSED_DAYS = 180;
/** Files per query of the sweep. */
const FILES_PER_QUERY = 100;

/**
 * Nightly clean-up of the file storage. Removes rows without bytes and bytes without rows, left by interrupted uploads
 * and deleted accounts; expired test links; unused files; the names of deleted files.
 */
@Injectable()
export class FileSweep implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly storage: FileStorage,
    private readonly files: StoredFiles,
  ) {}

  onModuleInit(): void {
    this.retention.add(
      {
        table: 'files',
        by: 'created_at',
        where: `t.stored_at is null and t.created_at < now() - interval '1 day'`,
      },
      {
        table: 'file_links',
        by: 'expires_at',
        where: `t.history_id is null and t.expires_at < now() - interval '1 day'`,
      },
      { table: 'unused files', purge: (em) => this.removeUnused(em) },
      {
        table: 'files',
        by: 'deleted_at',
        // A reported file stays listed until an admin has decided. Otherwise its owner could avert a take-down by
        // deleting it.
        where: `t.deleted_at < now() - interval '1 day' and (t.reported_at is null or t.taken_down_at is not null) and not exists (select 1 from file_links l where l.file_id = t.id)
          and not exists (select 1 from send_attachments a where a.file_id = t.id)
          and not exists (select 1 from email_drafts d where d.user_id = t.user_id and ${draftNamesFile('t.id::text')})`,
      },
      { table: 'send_attachments', purge: (em) => this.forgetNames(em) },
      { table: 'file storage', purge: (em) => this.removeOrphans(em) },
    );
  }

  /**
   * Deletes unused files. A file is in use while a link to it works, or while a scheduled email, or a draft saved
   * within UNUSED_DAYS, has it.
   */
  private async removeUnused(em: EntityManager): Promise<number> {
    let removed = 0;
    for (let after = NIL_UUID; ;) {
      const unused = await rows<{ id: string; userId: string }>(
        em,
        `select f.id, f.user_id as "userId" from files f
         where f.kind = 'document' and f.deleted_at is null and f.used_at < now() - interval '${UNUSED_DAYS} days' and f.id > ?
           and not exists (select 1 from file_links l where l.file_id = f.id and l.revoked_at is null and l.expires_at > now())
           and not exists (select 1 from email_drafts d where d.user_id = f.user_id and d.updated_at > now() - interval '${UNUSED_DAYS} days' and ${draftNamesFile('f.id::text')})
         order by f.id limit ${FILES_PER_QUERY}`,
        [after],
      );
      for (const { id, userId } of unused) if (await this.files.removeUnlessPlanned(userId, id)) removed += 1;
      if (unused.length < FILES_PER_QUERY) return removed;
      after = unused.at(-1)!.id;
    }
  }

  /** Erases the names of deleted files from the attachments of ended sends. */
  private forgetNames(em: EntityManager): Promise<number> {
    return changed(
      em,
      `update send_attachments a set name = '' from files f, email_history h
       where f.id = a.file_id and f.deleted_at is not null and h.id = a.history_id and h.status <> 'pending' and a.name <> ''`,
    );
  }

  /**
   * Removes bytes without a row. Such bytes never belong to a running upload, because an upload commits its row before
   * it writes the bytes.
   */
  private async removeOrphans(em: EntityManager): Promise<number> {
    let removed = 0;
    for (const folder of [PICTURE_FOLDER, FILE_FOLDER])
      for await (const keys of this.storage.keys(folder)) {
        const orphans = await rows<{ key: string }>(
          em,
          `select value as key from jsonb_array_elements_text(?::jsonb) where value not in (
             select storage_key from files where deleted_at is null and scan <> 'infected' and storage_key in (select jsonb_array_elements_text(?::jsonb)))
             and not ${isAttachedTo('value')}`,
          [JSON.stringify(keys), JSON.stringify(keys)],
        );
        for (const { key } of orphans) await this.storage.remove(key);
        removed += orphans.length;
      }
    return removed;
  }
}
