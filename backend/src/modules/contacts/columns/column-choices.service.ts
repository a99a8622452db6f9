import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { DEFAULT_COLUMNS } from '../contacts.constants.js';

/** Stores the columns of contacts that each user chose, for all of their devices. */
@Injectable()
export class ColumnChoices {
  constructor(private readonly em: EntityManager) {}

  /** The user's columns, or the default ones if the user chose none. */
  async of(userId: string): Promise<string[]> {
    const [chosen] = await rows<{ columns: string[] }>(
      this.em.fork(),
      `select columns from contact_columns where user_id = ?`,
      [userId],
    );
    return chosen?.columns ?? [...DEFAULT_COLUMNS];
  }

  async set(userId: string, columns: readonly string[]): Promise<void> {
    await changed(
      this.em.fork(),
      `insert into contact_columns (user_id, columns) values (?, ?::jsonb) on conflict (user_id) do update set columns = excluded.columns`,
      [userId, JSON.stringify(columns)],
    );
  }
}
