import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { BackgroundLoop } from '../../../shared/database/background-loop.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows, type SqlPart, withoutTimeLimit } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { CLEANUP_ACTIONS, type JobAction } from '../contacts.constants.js';
import type { ProfileCriteria } from '../profiles/profile-search.js';
import { ProfileReader } from '../profiles/profile-reader.service.js';
import { BulkActions, type BulkParams, type Refusals } from './bulk-actions.service.js';
import { cleanupOf, stillHas } from './cleanup.js';

/** Profiles per transaction. */
const PROFILES_PER_TRANSACTION = 2_000;
/** Consecutive failed batches after which a bulk change ends as failed. */
const MAX_ATTEMPTS = 5;
const MAX_LISTED = 1_000;
const SWEEP_MS = 15_000;

interface BulkJobRow {
  id: string;
  ownerId: string;
  action: JobAction;
  params: BulkParams;
  selection: { ids?: string[]; filter?: ProfileCriteria };
  lastId: string | null;
  total: number;
  createdAt: string;
}

/**
 * Carries out bulk changes in turn, one batch at a time. Each batch commits together with `last_id`, so that after a
 * crash no profile is skipped and an interrupted batch is repeated. Any number of workers may run.
 */
@JobHandler('contact-bulk', 1)
export class BulkRunner implements HandlesJob<'contact-bulk'>, BeforeApplicationShutdown {
  private readonly log = new Logger(BulkRunner.name);
  private readonly loop: BackgroundLoop;

  constructor(
    private readonly em: EntityManager,
    private readonly reader: ProfileReader,
    private readonly actions: BulkActions,
    private readonly jobs: JobQueue,
  ) {
    this.loop = new BackgroundLoop(em);
  }

  handle(): Promise<void> {
    const waiting = new Set<string>();
    return this.loop.run(() => this.batch(waiting));
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.loop.stop();
  }

  /** Finds bulk changes whose job was lost, and rewrites that a worker of an earlier version recorded as failed. */
  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    const open = await this.open().catch((error: unknown) => {
      this.log.error(
        { err: error, code: 'bulk_sweep_failed' },
        'bulk changes could not be looked for; tried again soon',
      );
      return [];
    });
    if (open.length > 0) await this.jobs.enqueue('contact-bulk', {}, { jobId: `sweep:${process.pid}` });
  }

  private async open(): Promise<object[]> {
    const em = this.em.fork();
    await changed(em, RESUME_REWRITES);
    return rows(em, `select 1 from contact_bulk_jobs where status in ('queued', 'running') limit 1`);
  }

  /**
   * Carries out one batch of the bulk change that has waited longest.
   * @param waiting ids of bulk changes to skip. A change whose contacts cannot be determined yet is added to them; the
   * next sweep tries it again
   * @returns whether there may be more work
   */
  async batch(waiting = new Set<string>()): Promise<boolean> {
    let job: BulkJobRow | undefined;
    try {
      await retryDeadlocks(() =>
        inTransaction(this.em, async (em) => {
          [job] = await rows<BulkJobRow>(em, CLAIM, [sqlArray([...waiting])]);
          if (!job) return;
          if (await this.reader.isUnsettled(job.ownerId, job.selection.filter ?? {})) waiting.add(job.id);
          else await this.runBatch(em, job);
        }),
      );
    } catch (error) {
      if (!job) throw error;
      this.log.error({ err: error, code: 'bulk_failed', bulkId: job.id }, 'a batch of a bulk change failed');
      await changed(this.em.fork(), RECORD_FAILURE, [job.id]);
      // A clean-up is retried until it succeeds, because a deleted tag or field must not reappear on contacts.
      if (cleanupOf(job.action, job.params)) waiting.add(job.id);
      return true;
    }
    if (job) await this.actions.afterCommit(job.action);
    return job !== undefined;
  }

  private async runBatch(em: EntityManager, job: BulkJobRow): Promise<void> {
    await withoutTimeLimit(em);
    if (job.lastId === null && !job.selection.ids) await this.count(em, job);
    await this.actions.hold(em, job.ownerId, job.action);
    const ids = await this.next(em, job);
    const refused = ids.length > 0 ? await this.actions.apply(em, job.ownerId, job.action, job.params, ids) : new Map();
    await this.recordProgress(em, job, ids, refused);
  }

  private async next(em: EntityManager, job: BulkJobRow): Promise<string[]> {
    const { ownerId, selection, lastId, createdAt } = job;
    const { sql, params } = selection.ids
      ? { sql: 'p.owner_id = ? and p.id = any (?::uuid[])', params: [ownerId, sqlArray(selection.ids)] }
      : await this.conditionOf(job);
    const found = await rows<{ id: string }>(
      em,
      `select p.id from contact_profiles p where ${sql} and (?::uuid is null or p.id > ?::uuid) and p.created_at <= ?::timestamptz order by p.id limit ${PROFILES_PER_TRANSACTION} for update of p`,
      [...params, lastId, lastId, createdAt],
    );
    return found.map(({ id }) => id);
  }

  private async conditionOf({ ownerId, action, params, selection }: BulkJobRow): Promise<SqlPart> {
    const cleanup = cleanupOf(action, params);
    return cleanup ? stillHas(ownerId, cleanup) : this.reader.condition(ownerId, selection.filter ?? {});
  }

  private async count(em: EntityManager, job: BulkJobRow): Promise<void> {
    const { id, createdAt } = job;
    const { sql, params } = await this.conditionOf(job);
    await changed(
      em,
      `update contact_bulk_jobs set total = (select count(*)::int from contact_profiles p where ${sql} and p.created_at <= ?::timestamptz) where id = ?`,
      [...params, createdAt, id],
    );
  }

  private async recordProgress(
    em: EntityManager,
    job: BulkJobRow,
    ids: readonly string[],
    refused: Refusals,
  ): Promise<void> {
    const listed = [...refused].map(([id, reason]) => ({ id, reason }));
    const isLast = ids.length < PROFILES_PER_TRANSACTION;
    await changed(em, RECORD_PROGRESS, [
      ids.length,
      ids.at(-1) ?? job.lastId,
      isLast,
      isLast,
      JSON.stringify(listed),
      listed.length,
      job.id,
    ]);
  }
}

const CLAIM = `
  select id, owner_id as "ownerId", action, params, selection, last_id as "lastId", total, created_at::text as "createdAt"
  from contact_bulk_jobs where status in ('queued', 'running') and id <> all (?::uuid[]) order by coalesce(lease_until, created_at), id limit 1 for update skip locked`;

/**
 * Stores the progress of a change. Sets `lease_until` to the time of this batch; the change with the earliest time is
 * next. Refusals are listed up to MAX_LISTED, and counted beyond that.
 */
const RECORD_PROGRESS = `
  update contact_bulk_jobs j set done = j.done + ?, total = greatest(j.total, j.done), last_id = ?::uuid, status = case when ? then 'done' else 'running' end,
    finished_at = case when ? then now() end, attempts = 0, lease_until = now(),
    refused = case when jsonb_array_length(j.refused) < ${MAX_LISTED} then jsonb_path_query_array(j.refused || r.listed, '$[0 to ${MAX_LISTED - 1}]') else j.refused end,
    refused_unlisted = j.refused_unlisted + greatest(0, r.n - greatest(0, ${MAX_LISTED} - jsonb_array_length(j.refused)))
  from (select ?::jsonb as listed, ?::int as n) r where j.id = ?`;

/**
 * Queues rewrites again that a worker of an earlier version recorded as failed, because that version does not know
 * them. This version never records a rewrite as failed, so this happens only while workers of both versions run, at
 * most once per sweep. It applies to rewrites of any age, because otherwise values would keep their former type; ended
 * jobs are purged after 30 days.
 */
const RESUME_REWRITES = `
  update contact_bulk_jobs set status = 'queued', attempts = 0, finished_at = null
  where action = 'fieldToText' and status = 'failed' and finished_at is not null`;

const IS_LAST = `attempts + 1 >= ${MAX_ATTEMPTS} and action not in (${CLEANUP_ACTIONS.map((name) => `'${name}'`).join(', ')})`;

const RECORD_FAILURE = `
  update contact_bulk_jobs set attempts = attempts + 1, lease_until = now(),
    status = case when ${IS_LAST} then 'failed' else status end, finished_at = case when ${IS_LAST} then now() end
  where id = ?`;
