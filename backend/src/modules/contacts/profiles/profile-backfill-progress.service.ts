import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';

/** Progress of creating profiles for contacts that were added before profiles existed. */
export interface BackfillProgress {
  done: number;
  total: number;
}

/** Progress of the profile backfill per account. The lists module runs the backfill. */
@Injectable()
export class ProfileBackfillProgress {
  constructor(private readonly em: EntityManager) {}

  /**
   * The progress of an account.
   * @returns null once all contacts of the account have profiles
   */
  async of(ownerId: string, em = this.em.fork()): Promise<BackfillProgress | null> {
    const [found] = await rows<BackfillProgress>(
      em,
      `select least(done, total) as done, total from contact_preparations where owner_id = ? and finished_at is null`,
      [ownerId],
    );
    return found ?? null;
  }

  /**
   * Locks one unfinished account until the transaction ends. The order is random, so that an account whose batch fails
   * does not delay the others.
   * @returns null if there is none, or if other workers hold all of them
   */
  async claim(em: EntityManager): Promise<string | null> {
    const [found] = await rows<{ ownerId: string }>(
      em,
      `select owner_id as "ownerId" from contact_preparations where finished_at is null order by random() limit 1 for update skip locked`,
    );
    return found?.ownerId ?? null;
  }

  /** Adds to the number of contacts that have got profiles. */
  async add(em: EntityManager, ownerId: string, done: number): Promise<void> {
    await changed(
      em,
      `update contact_preparations set done = done + ?, total = greatest(total, done + ?) where owner_id = ?`,
      [done, done, ownerId],
    );
  }

  /** Records that all contacts of the account have profiles. */
  async finish(em: EntityManager, ownerId: string): Promise<void> {
    await changed(em, `update contact_preparations set finished_at = now() where owner_id = ?`, [ownerId]);
  }

  /** Starts or restarts the preparation of accounts. `total` is the number of contacts without a profile. */
  async open(em: EntityManager, accounts: readonly { ownerId: string; total: number }[]): Promise<void> {
    if (accounts.length === 0) return;
    await changed(
      em,
      `insert into contact_preparations as p (owner_id, total)
       select a.owner_id, a.total from jsonb_to_recordset(?::jsonb) as a(owner_id uuid, total int) join users u on u.id = a.owner_id order by 1
       on conflict (owner_id) do update set done = 0, total = excluded.total, finished_at = null where p.finished_at is not null`,
      [JSON.stringify(accounts.map(({ ownerId, total }) => ({ owner_id: ownerId, total })))],
    );
  }
}
