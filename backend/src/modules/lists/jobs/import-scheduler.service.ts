import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/rows.js';
import { UTC_TODAY } from '../../../shared/database/utc-day.js';
import type { ImportCheckpoint } from '../entities/contact-import.entity.js';
import type { ImportRun } from './import-batch.js';

/** An import to read on. */
export interface ClaimedImport extends Omit<ImportRun, 'contactLimit'> {
  format: 'csv' | 'lines';
  /** Records that earlier runs have dealt with. */
  total: number;
  attempts: number;
  checkpoint: ImportCheckpoint | null;
}

/** A time slice of work for one account: a file to read on, or an admin's decision to carry out. */
export type ImportSlice = { kind: 'read'; claimed: ClaimedImport } | { kind: 'decision'; importId: string };

/** Claims lost to other workers before this one gives up; their hints or the sweeper start it again. */
const TRIES = 20;

/** Decides whose import is served next, over all workers: that of the account that has waited longest since its last time slice. */
@Injectable()
export class ImportScheduler {
  constructor(private readonly em: EntityManager) {}

  /** Claims the next time slice by a lease of 60 seconds; undefined: there is nothing to do. */
  async next(): Promise<ImportSlice | undefined> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      const [due] = await rows<{ id: string; userId: string; isDecision: boolean }>(this.em.fork(), NEXT);
      if (!due) return undefined;
      const slice = due.isDecision ? await this.claimDecision(due.id) : await this.claimFile(due.id);
      if (!slice) continue;
      await rows(this.em.fork(), SERVED, [due.userId]);
      return slice;
    }
    return undefined;
  }

  /** Ends a time slice; the next one may be any worker's. */
  async release(importId: string): Promise<void> {
    await rows(this.em.fork(), `update contact_imports set lease_until = now() where id = ? and status in ('running', 'done', 'failed')`, [importId]);
  }

  private async claimFile(importId: string): Promise<ImportSlice | undefined> {
    const [claimed] = await rows<ClaimedImport>(
      this.em.fork(),
      `update contact_imports i set status = 'running', attempts = i.attempts + 1, lease_until = now() + interval '60 seconds'
       from email_lists l
       where i.id = ? and l.id = i.email_list_id and (i.status = 'queued' or (i.status = 'running' and (i.lease_until is null or i.lease_until < now())))
       returning i.id, i.email_list_id, i.user_id, l.owner_id, i.subscription_type, i.attestation, i.format, i.total, i.attempts, i.checkpoint`,
      [importId],
    );
    return claimed && { kind: 'read', claimed };
  }

  private async claimDecision(importId: string): Promise<ImportSlice | undefined> {
    const claimed = await changed(
      this.em.fork(),
      `update contact_imports set lease_until = now() + interval '60 seconds'
       where id = ? and status in ('done', 'failed') and decided_at is not null and carried_out_at is null and (lease_until is null or lease_until < now())`,
      [importId],
    );
    return claimed === 1 ? { kind: 'decision', importId } : undefined;
  }
}

/** One import of each account, its oldest; decisions stand on imports that have ended. */
const NEXT = `
  with due as (
    select id, user_id, created_at, false as is_decision from contact_imports
    where status = 'queued' or (status = 'running' and (lease_until is null or lease_until < now()))
    union all
    select id, user_id, created_at, true from contact_imports
    where decided_at is not null and carried_out_at is null and status in ('done', 'failed') and (lease_until is null or lease_until < now())
  ), first as (
    select distinct on (user_id) id, user_id, created_at, is_decision from due order by user_id, created_at
  )
  select f.id, f.user_id as "userId", f.is_decision as "isDecision" from first f left join import_usage u on u.user_id = f.user_id
  order by u.served_at nulls first, f.created_at limit 1`;

const SERVED = `
  insert into import_usage (user_id, day, served_at) values (?, ${UTC_TODAY}, clock_timestamp())
  on conflict (user_id) do update set served_at = excluded.served_at`;
