import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { Notifications } from '../../notifications/index.js';
import type { ImportFailure } from '../entities/contact-import.values.js';

interface Ended {
  userId: string;
  isDirect: boolean;
  listId: string | null;
  listName: string | null;
  added: number;
  refused: number;
}

/**
 * Notifies the user who started an import that it has ended, in the transaction that ends it. Successful imports into
 * one list share a notification; each failed import has its own.
 */
@Injectable()
export class ImportNotices {
  constructor(private readonly notifications: Notifications) {}

  async finished(em: EntityManager, importId: string): Promise<void> {
    const { userId, ...told } = await this.read(em, importId);
    const groupKey = `import:${told.listId ?? 'contacts'}`;
    await this.notifications.add(em, { userId, kind: 'import.finished', groupKey, params: { importId, ...told } });
  }

  async failed(em: EntityManager, importId: string, failure: ImportFailure): Promise<void> {
    const { userId, ...told } = await this.read(em, importId);
    const params = { importId, ...told, failure };
    await this.notifications.add(em, { userId, kind: 'import.finished', groupKey: `import:${importId}`, params });
  }

  private async read(em: EntityManager, importId: string): Promise<Ended> {
    const [ended] = await rows<Ended>(
      em,
      `select i.user_id as "userId", i.is_direct as "isDirect", i.email_list_id as "listId", l.name as "listName",
         case when i.email_list_id is null then i.created else i.added end as added, i.skipped as refused
       from contact_imports i left join email_lists l on l.id = i.email_list_id where i.id = ?`,
      [importId],
    );
    return ended!;
  }
}
