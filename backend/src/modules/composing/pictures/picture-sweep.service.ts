import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { Retention } from '../../../shared/retention/retention.js';
import { FileStorage } from '../../../shared/storage/file-storage.js';
import { PICTURE_FOLDER } from './picture-store.service.js';

/** Removes at night what an interrupted upload or a deleted account left: rows without bytes, and bytes without rows. */
@Injectable()
export class PictureSweep implements OnModuleInit {
  constructor(
    private readonly retention: Retention,
    private readonly storage: FileStorage,
  ) {}

  onModuleInit(): void {
    this.retention.add(
      {
        table: 'files',
        by: 'created_at',
        where: `t.stored_at is null and t.created_at < now() - interval '1 day'`,
      },
      { table: 'file storage', purge: (em) => this.removeOrphans(em) },
    );
  }

  /** A row is committed before its bytes are written, so bytes without a row belong to none. */
  private async removeOrphans(em: EntityManager): Promise<number> {
    let removed = 0;
    for await (const keys of this.storage.keys(PICTURE_FOLDER)) {
      const orphans = await rows<{ key: string }>(
        em,
        `select value as key from jsonb_array_elements_text(?::jsonb) where value not in (select storage_key from files where storage_key in (select jsonb_array_elements_text(?::jsonb)))`,
        [JSON.stringify(keys), JSON.stringify(keys)],
      );
      for (const { key } of orphans) await this.storage.remove(key);
      removed += orphans.length;
    }
    return removed;
  }
}
