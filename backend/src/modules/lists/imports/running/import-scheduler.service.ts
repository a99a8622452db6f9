import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../../shared/database/queries/sql-array.js';
import { UTC_TODAY } from '../../../../shared/database/queries/columns.js';
import { ImportFailures } from './import-failures.service.js';
import { type ClaimedImport, MAX_ATTEMPTS, RENEW_LEASE } from './claimed-import.js';

/** A time slice for one account: work on a file, or applying an admin's decision. */
export type ImportSlice = { kind: 'file'; claimed: ClaimedImport } | { kind: 'decision'; importId: string };

/** Number of lost claims after which this worker stops looking for work until the next job or sweep. */
const MAX_CLAIM_TRIES = 20;

/** Chooses the next import over all workers: one of the account that was served longest ago. */
@Injectable()
export class ImportScheduler {
  private readonly log = new Logger(ImportScheduler.name);

  constructor(
    private readonly em: EntityManager,
    private readonly ends: ImportFailures,
  ) {}

  /**
   * Claims the next time slice with a lease of 60 seconds.
   * @param held runs of the imports whose files this worker holds open, by import id. No other worker gets these
   * imports while the lease lasts. Imports that another worker has got, or that are no longer being read, are removed
   * from the map
   * @returns undefined if there is nothing to do
   */
  async next(held: Map<string, number>): Promise<ImportSlice | undefined> {
    await this.dropLost(held);
    for (let tries = 0; tries < MAX_CLAIM_TRIES; tries += 1) {
      const [due] = await rows<{ id: string; userId: string; isDecision: boolean }>(this.em.fork(), NEXT_IMPORT, [
        sqlArray([...held.keys()]),
      ]);
      if (!due) return undefined;
      const slice = due.isDecision
        ? await this.claimDecision(due.id)
        : await this.claimFile(due.id, held.get(due.id) ?? null);
      if (!slice) {
        held.delete(due.id);
        continue;
      }
      await rows(this.em.fork(), SERVED, [due.userId]);
      return slice;
    }
    return undefined;
  }

  /** Ends a time slice; any worker may take the next one. */
  async release(importId: string, run: number | null = null): Promise<void> {
    await rows(
      this.em.fork(),
      `update contact_imports set lease_until = now() where id = ? and (?::int is null or run = ?)`,
      [importId, run, run],
    );
  }

  /**
   * Ends the time slice of an import whose open file this worker closes early, because it stops. This does not count as
   * a failed attempt.
   */
  async giveBack(importId: string): Promise<void> {
    await rows(
      this.em.fork(),
      `update contact_imports set lease_until = now(), attempts = greatest(0, attempts - 1) where id = ?`,
      [importId],
    );
  }

  /**
   * Claims the next stage of an import within the time slice of the previous stage.
   * @returns undefined if there is no next stage, or another worker has claimed it
   */
  async goOn(importId: string): Promise<ClaimedImport | undefined> {
    const slice = await this.claimFile(importId, null);
    return slice?.kind === 'file' ? slice.claimed : undefined;
  }

  private async dropLost(held: Map<string, number>): Promise<void> {
    if (held.size === 0) return;
    const reading = await rows<{ id: string; run: number }>(
      this.em.fork(),
      `select id, run from contact_imports where id = any (?::uuid[]) and stage = 'read' and status <> 'failed'`,
      [sqlArray([...held.keys()])],
    );
    const runs = new Map(reading.map(({ id, run }) => [id, run]));
    for (const [id, run] of held) if (runs.get(id) !== run) held.delete(id);
  }

  private async claimFile(importId: string, heldRun: number | null): Promise<ImportSlice | undefined> {
    const [claimed] = await rows<ClaimedImport>(this.em.fork(), CLAIM, [heldRun, heldRun, importId, heldRun]);
    if (!claimed) return undefined;
    if (claimed.attempts > MAX_ATTEMPTS) {
      // A killed worker records no error, so attempts are counted when they begin.
      this.log.error(
        { importId, code: 'import_given_up', stage: claimed.stage },
        'an import ended none of its attempts',
      );
      await this.ends.giveUp(claimed);
      return undefined;
    }
    return { kind: 'file', claimed: { ...claimed, committedAt: Number(claimed.committedAt) || null } };
  }

  private async claimDecision(importId: string): Promise<ImportSlice | undefined> {
    const claimed = await changed(
      this.em.fork(),
      `update contact_imports set ${RENEW_LEASE}
       where id = ? and status in ('done', 'failed') and decided_at is not null and carried_out_at is null and (lease_until is null or lease_until < now())`,
      [importId],
    );
    return claimed === 1 ? { kind: 'decision', importId } : undefined;
  }
}

const IS_FREE = '(lease_until is null or lease_until < now())';

/**
 * SQL condition: the import has work for a worker. Does not test the stage of queued and running imports, because
 * imports of earlier versions have none.
 */
export const HAS_WORK = `(status in ('queued', 'reading', 'checking', 'running') or (status = 'ready' and stage is not null))`;

/**
 * The import of the account that was served longest ago, and of the account's imports the one that has waited longest.
 * A finished import is included while a decision has to be applied to it.
 */
const NEXT_IMPORT = `
  with due as (
    select id, user_id, coalesce(lease_until, created_at) as since, false as is_decision from contact_imports
    where ${HAS_WORK} and (${IS_FREE} or id = any (?::uuid[]))
    union all
    select id, user_id, coalesce(lease_until, decided_at), true from contact_imports
    where decided_at is not null and carried_out_at is null and status in ('done', 'failed') and ${IS_FREE}
  ), first as (
    select distinct on (user_id) id, user_id, since, is_decision from due order by user_id, since
  )
  select f.id, f.user_id as "userId", f.is_decision as "isDecision" from first f left join import_usage u on u.user_id = f.user_id
  order by u.served_at nulls first, f.since limit 1`;

/**
 * Claims an import. A stage that an earlier version left unfinished starts again; contacts that it committed are
 * recognised as such.
 */
const CLAIM = `
  update contact_imports i set
    stage = coalesce(i.stage, 'read'),
    status = case when i.status = 'queued' then 'reading' when i.stage = 'commit' then 'running' when i.stage is null then 'reading' else i.status end,
    total = case when i.stage is null then 0 else i.total end, added = case when i.stage is null then 0 else i.added end, skipped = case when i.stage is null then 0 else i.skipped end,
    rejects_unlisted = case when i.stage is null then 0 else i.rejects_unlisted end, checkpoint = case when i.stage is not null then i.checkpoint end,
    committed_at = case when i.stage = 'commit' then coalesce(i.committed_at, now()) else i.committed_at end,
    run = case when i.run = ?::int then i.run else i.run + 1 end, attempts = case when i.run = ?::int then i.attempts else i.attempts + 1 end, ${RENEW_LEASE}
  where i.id = ? and ${HAS_WORK.replaceAll('status', 'i.status').replaceAll('stage is', 'i.stage is')}
    and ((i.lease_until is null or i.lease_until < now()) or i.run = ?::int)
  returning i.id, i.user_id as "userId", i.email_list_id as "listId", i.is_direct as "isDirect", i.stage, i.goal, i.run, i.attempts, i.format, i.subscription_type as "subscriptionType",
    i.attestation, i.file_info as "fileInfo", i.columns, i.options, i.corrections, i.checkpoint, i.lines, i.total, i.committed_line as "committedLine",
    (extract(epoch from i.committed_at) * 1000)::bigint as "committedAt",
    case when i.email_list_id is null then i.user_id else (select l.owner_id from email_lists l where l.id = i.email_list_id) end as "ownerId"`;

const SERVED = `
  insert into import_usage (user_id, day, served_at) values (?, ${UTC_TODAY}, clock_timestamp())
  on conflict (user_id) do update set served_at = excluded.served_at`;
