import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import { backOffWhileBusy } from '../../../../shared/database/background-backoff.js';
import { inTransaction, rows, withoutTimeLimit } from '../../../../shared/database/queries/rows.js';
import type { ImportCheckpoint } from '../../entities/contact-import.values.js';
import { DomainCheck } from '../domains/domain-check.service.js';
import { deleteStagedRows, STAGED_ROWS_AT_ONCE } from '../import-file.js';
import type { JudgingPlan } from '../judging/judge-row.js';
import {
  type ClaimedImport,
  ClaimLost,
  lockClaim,
  recordProgress,
  recordRepeatable,
  RENEW_LEASE,
  type SliceClock,
  type SliceEnd,
} from './claimed-import.js';
import { asLine } from './column-survey.js';
import { erasedSince } from './erased-people.js';
import { reportOf } from './import-report.js';
import { hasRecords, readBlock } from './record-blocks.js';
import { RowJudging } from './row-judging.service.js';
import { type AttributeColumn, stageRecords } from './staged-rows.js';
import { type JudgedRows, judgeRows } from './verdict-sql.js';

const BATCH_LINES = 5_000;
/** Minimum share (0 to 1) of lines with an address in the first batch of a direct import; below it the import fails. */
const MIN_ADDRESS_SHARE = 0.1;

/** Minimum number of lines for which the statistics of the staged rows are refreshed. */
const ANALYZED_LINES = 1_000;

const BEGIN: ImportCheckpoint = { phase: 'clear', at: 0 };

/**
 * Checks an import without changing any contact: stages its lines, looks up their domains, and judges them by the
 * account's data. Each step commits together with its progress.
 */
@Injectable()
export class CheckStage {
  constructor(
    private readonly em: EntityManager,
    private readonly judging: RowJudging,
    private readonly domains: DomainCheck,
  ) {}

  /** Runs one time slice. @returns `no addresses` if the file of a direct import is not a list of addresses */
  async slice(claimed: ClaimedImport, clock: SliceClock): Promise<SliceEnd | 'no addresses'> {
    let checkpoint = claimed.checkpoint ?? BEGIN;
    const work = new CheckSlice(this.em, claimed, this.judging, this.domains);
    for (;;) {
      const next = await work.step(checkpoint);
      if (next === 'ended' || next === 'lost' || next === 'no addresses') return next;
      checkpoint = next;
      if (clock.isOver()) return 'more';
      await backOffWhileBusy(this.em.fork());
    }
  }
}

/** One time slice of a check; caches what its steps share. */
class CheckSlice {
  private staging: Promise<{ plan: JudgingPlan; attributes: AttributeColumn[] }> | undefined;

  constructor(
    private readonly em: EntityManager,
    private readonly claimed: ClaimedImport,
    private readonly judging: RowJudging,
    private readonly domains: DomainCheck,
  ) {}

  step(checkpoint: ImportCheckpoint): Promise<ImportCheckpoint | 'ended' | 'lost' | 'no addresses'> {
    switch (checkpoint.phase) {
      case 'clear':
        return this.clear();
      case 'stage':
        return this.stage(checkpoint);
      case 'domains':
        return this.lookUpDomains(checkpoint);
      case 'judge':
        return this.judge(checkpoint);
      default:
        return this.clear();
    }
  }

  private async clear(): Promise<ImportCheckpoint> {
    const { id, isDirect, ownerId, columns } = this.claimed;
    const cleared = await inTransaction(this.em, async (em) => {
      await recordRepeatable(em, this.claimed, `checked = 0, report = null`);
      return deleteStagedRows(em, id);
    });
    if (cleared === STAGED_ROWS_AT_ONCE) return BEGIN;
    const next: ImportCheckpoint = { phase: 'stage', at: 0 };
    const mapped = isDirect && ownerId ? await this.judging.withFields(ownerId, columns ?? []) : columns;
    await this.save(next, `columns = ?::jsonb`, [JSON.stringify(mapped)]);
    this.claimed.columns = mapped;
    return next;
  }

  private async stage({ at }: ImportCheckpoint): Promise<ImportCheckpoint | 'lost' | 'no addresses'> {
    const { id, options, isDirect, lines } = this.claimed;
    const block = await readBlock(this.em.fork(), id, at);
    if (!block) return at === 0 && lines > 0 ? 'lost' : this.endStaging(at);
    const records = (at === 0 && options.hasHeader ? block.slice(1) : block).map(
      isDirect && !options.hasHeader ? asLine : (record) => record,
    );
    this.staging ??= this.prepare();
    const staging = await this.staging;
    const next: ImportCheckpoint = { phase: 'stage', at: at + 1 };
    const pool = await this.em.getConnection().getNativeClient();
    await withClient(pool, async (client) => {
      // Runs first, because it locks the import: erasures that were committed before are seen, and later ones find the
      // staged lines.
      const { rowCount } = await client.query(
        `update contact_imports set checkpoint = $3::jsonb, checked = checked + $4::int, attempts = 0, touched_at = now(), ${RENEW_LEASE}
         where id = $1 and run = $2 and stage is not null`,
        [id, this.claimed.run, JSON.stringify(next), records.length],
      );
      if (rowCount !== 1) throw new ClaimLost();
      await stageRecords(client, id, records, staging, await erasedSince(client, id));
    });
    if (isDirect && at === 0 && lines > BATCH_LINES && (await this.isJunk(records.length))) return 'no addresses';
    return next;
  }

  /** Ends staging after the last block. @returns `lost` if a block is missing, so that not all lines are staged */
  private async endStaging(blocks: number): Promise<ImportCheckpoint | 'lost'> {
    const { id, lines } = this.claimed;
    const [found] = await rows<{ staged: number }>(
      this.em.fork(),
      `select checked as staged from contact_imports where id = ?`,
      [id],
    );
    if (blocks > 0 && (found?.staged ?? 0) < lines) return 'lost';
    const next: ImportCheckpoint = { phase: 'domains', at: 0, since: Date.now() };
    await inTransaction(this.em, async (em) => {
      await withoutTimeLimit(em);
      await this.domains.collect(em, id);
      // With statistics from before this import, the planner would expect it to have only a few lines.
      if (lines >= ANALYZED_LINES) await rows(em, `analyze contact_import_rows`);
      await recordProgress(em, this.claimed, `checkpoint = ?::jsonb`, [JSON.stringify(next)]);
    });
    return next;
  }

  private async lookUpDomains(checkpoint: ImportCheckpoint): Promise<ImportCheckpoint> {
    const isMore = await this.domains.lookUpSome(this.claimed.id, checkpoint.since ?? 0);
    const next: ImportCheckpoint = isMore ? checkpoint : { phase: 'judge', at: 0 };
    await this.save(next);
    return next;
  }

  private async judge(checkpoint: ImportCheckpoint): Promise<ImportCheckpoint | 'ended' | 'lost'> {
    const { id } = this.claimed;
    const { at } = checkpoint;
    const scope = await this.judging.scope(this.claimed);
    const { room } = scope;
    const joining = room === null ? 0 : await this.joiningOf(checkpoint, room);
    if (room !== null) scope.room = Math.max(0, room - joining);
    const which = { sql: `r.line > ? order by r.line limit ${BATCH_LINES}`, params: [at] };
    const { sql, params } = judgeRows(which, scope);
    return inTransaction(this.em, async (em) => {
      // Locks the import before its lines, in the same order as an erasure.
      await lockClaim(em, this.claimed);
      const [found] = await rows<JudgedRows>(em, sql, params);
      const { rows: judged, lastLine, joining: newlyJoining } = found!;
      if (judged === 0 && at === 0 && this.claimed.lines > 0 && !(await hasRecords(em, id))) return 'lost';
      if (judged === 0 || lastLine === null) {
        await withoutTimeLimit(em);
        const report = await reportOf(em, scope);
        await recordProgress(
          em,
          this.claimed,
          `checkpoint = null, report = ?::jsonb, ${STAGE_AFTER_CHECK[this.claimed.goal]}`,
          [JSON.stringify(report)],
        );
        return 'ended';
      }
      const next: ImportCheckpoint = { phase: 'judge', at: lastLine, joining: joining + newlyJoining, room };
      await recordProgress(em, this.claimed, `checkpoint = ?::jsonb, checked = checked + ?`, [
        JSON.stringify(next),
        judged,
      ]);
      return next;
    });
  }

  /** Number of lines before this checkpoint that will join the list. */
  private async joiningOf({ at, joining, room }: ImportCheckpoint, roomNow: number): Promise<number> {
    if (at === 0) return 0;
    return joining !== undefined && room === roomNow ? joining : this.countJoining(at);
  }

  /**
   * Number of lines up to this one that will join the list, and so count against the plan's limit. Reads all these
   * lines, so it is called only if the checkpoint has no valid number.
   */
  private async countJoining(line: number): Promise<number> {
    const { id, listId } = this.claimed;
    const [found] = await rows<{ joining: number }>(
      this.em.fork(),
      `select count(*)::int as joining from contact_import_rows r where r.import_id = ? and r.line <= ? and r.verdict in ('new', 'updated')
         and not exists (select 1 from subscriptions c where c.email_list_id = ? and c.email_norm = r.email_norm)`,
      [id, line, listId],
    );
    return found?.joining ?? 0;
  }

  private async isJunk(records: number): Promise<boolean> {
    const [found] = await rows<{ addresses: number }>(
      this.em.fork(),
      `select count(*)::int as addresses from contact_import_rows where import_id = ? and email_hash is not null`,
      [this.claimed.id],
    );
    return (found?.addresses ?? 0) < records * MIN_ADDRESS_SHARE;
  }

  private async prepare(): Promise<{ plan: JudgingPlan; attributes: AttributeColumn[] }> {
    return { plan: await this.judging.plan(this.claimed), attributes: this.judging.carried(this.claimed) };
  }

  private save(checkpoint: ImportCheckpoint, set = '', params: readonly unknown[] = []): Promise<void> {
    return inTransaction(this.em, (em) =>
      recordProgress(em, this.claimed, `checkpoint = ?::jsonb${set && `, ${set}`}`, [
        JSON.stringify(checkpoint),
        ...params,
      ]),
    );
  }
}

/** SQL assignments for the stage after the check, by goal. */
const STAGE_AFTER_CHECK: Record<ClaimedImport['goal'], string> = {
  mapping: `status = 'mapping', stage = null`,
  ready: `status = 'ready', stage = null`,
  done: `status = case when committed_at is null then 'ready' else 'running' end, stage = 'commit'`,
};

async function withClient(
  pool: { connect(): Promise<PoolClient> },
  use: (client: PoolClient) => Promise<void>,
): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('begin');
    await use(client);
    await client.query('commit');
    client.release();
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    client.release(!(error instanceof ClaimLost));
    throw error;
  }
}
