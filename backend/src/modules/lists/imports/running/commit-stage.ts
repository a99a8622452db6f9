import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { backOffWhileBusy } from '../../../../shared/database/background-backoff.js';
import { analyzeGrown } from '../../../../shared/database/queries/analyze-grown.js';
import { retryDeadlocks } from '../../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows, withoutTimeLimit } from '../../../../shared/database/queries/rows.js';
import { mintToken } from '../../../../shared/tokens/tokens.js';
import { ImportedPeople } from '../../../contacts/index.js';
import { PlanLimits } from '../../my-lists/plan-limits.service.js';
import { forgetFile } from '../import-file.js';
import { ImportMappings } from '../import-mappings.service.js';
import { ImportNotices } from '../import-notices.service.js';
import { ImportQuota } from '../import-quota.service.js';
import { type ClaimedImport, lockClaim, recordProgress, type SliceClock, type SliceEnd } from './claimed-import.js';
import { commitLines, type CommitScope, type CommittedBatch } from './commit-sql.js';
import { hasRecords } from './record-blocks.js';
import { RowJudging } from './row-judging.service.js';

const BATCH_LINES = 5_000;
/** Tables to which an import adds a row per line. */
const GROWING_TABLES = ['contact_profiles', 'subscriptions'];

/** Commits the lines of a checked import. Each batch is one transaction, with its progress and its rejected lines. */
@Injectable()
export class CommitStage {
  constructor(
    private readonly em: EntityManager,
    private readonly judging: RowJudging,
    private readonly people: ImportedPeople,
    private readonly limits: PlanLimits,
    private readonly quota: ImportQuota,
    private readonly mappings: ImportMappings,
    private readonly notices: ImportNotices,
  ) {}

  async slice(claimed: ClaimedImport, clock: SliceClock): Promise<SliceEnd> {
    const limit = claimed.ownerId && claimed.listId ? await this.limits.contactLimitOf(claimed.ownerId) : null;
    let { committedLine, total } = claimed;
    for (let isFirst = total === 0; ; isFirst = false) {
      // The first batch does not wait, so that small imports end without a pause.
      if (!isFirst) await backOffWhileBusy(this.em.fork());
      const batch = await this.batch(claimed, committedLine, limit);
      await analyzeGrown(this.em.fork(), GROWING_TABLES);
      total += batch.rows;
      committedLine = batch.lastLine ?? committedLine;
      if (batch.rows < BATCH_LINES) {
        // There are fewer lines than were read: either people were erased, or a crash of the database emptied the
        // table.
        if (batch.rows === 0 && total < claimed.lines && !(await hasRecords(this.em.fork(), claimed.id))) return 'lost';
        await this.finish(claimed);
        return 'ended';
      }
      if (clock.isOver()) return 'more';
    }
  }

  private async batch(claimed: ClaimedImport, after: number, limit: number | null): Promise<CommittedBatch> {
    const { id, ownerId, subscriptionType, attestation } = claimed;
    const scope = await this.judging.scope(claimed);
    if (ownerId) scope.tagIds = await this.people.ensureTags(ownerId, await this.tagNames(claimed, after));
    scope.commonTags = scope.commonTags.filter((name) => scope.tagIds.has(name.toLowerCase()));
    const tokens = Array.from({ length: BATCH_LINES }, mintToken);
    const put = async (em: EntityManager): Promise<CommittedBatch> => {
      await withoutTimeLimit(em);
      // An erasure waits for this batch; the next batch no longer contains the erased lines.
      await lockClaim(em, claimed);
      const rejectRoom = await this.quota.roomForRejects(em, id);
      const whole: CommitScope = {
        ...scope,
        room: limit === null ? null : await this.limits.roomWithin(em, ownerId!, limit),
        subscriptionType,
        isAttested: attestation !== null,
        labels: this.judging
          .carried(claimed)
          .map(({ label }) => label)
          .sort(),
        emailColumn: (claimed.columns ?? []).findIndex(({ target }) => target === 'email'),
        rejectRoom,
      };
      const { sql, params } = commitLines(after, BATCH_LINES, tokens, whole);
      const [batch] = await rows<CommittedBatch>(em, sql, params);
      const { rows: lines, lastLine, added, created, updated, unchanged, leftOut, listed } = batch!;
      if (lines === 0) return batch!;
      await recordProgress(em, claimed, PROGRESS, [
        lines,
        added,
        leftOut,
        leftOut - listed,
        ownerId ? created : added,
        updated,
        unchanged,
        lastLine,
      ]);
      await this.quota.chargeRejects(em, claimed.userId, listed);
      return batch!;
    };
    return retryDeadlocks(() => inTransaction(this.em, put));
  }

  /** Names of the tags in the next lines, and of those that every imported person gets. */
  private async tagNames({ id, columns, options }: ClaimedImport, after: number): Promise<string[]> {
    const common = options.tags ?? [];
    if (!columns?.some(({ target }) => target === 'tags' || target === 'skills')) return common;
    const found = await rows<{ name: string }>(this.em.fork(), TAG_NAMES, [id, after]);
    return [...common, ...found.map(({ name }) => name)];
  }

  private async finish(claimed: ClaimedImport): Promise<void> {
    const { id, userId, columns, options, isDirect } = claimed;
    await inTransaction(this.em, async (em) => {
      await recordProgress(
        em,
        claimed,
        `status = 'done', stage = null, bytes_done = bytes_total, finished_at = now(), checkpoint = null`,
      );
      await changed(em, `update contact_imports set lease_until = null where id = ?`, [id]);
      if (!isDirect && options.hasHeader) await this.mappings.remember(em, userId, columns ?? []);
      await forgetFile(em, id);
      await this.notices.finished(em, id);
    });
  }
}

const PROGRESS = `total = total + ?, added = added + ?, skipped = skipped + ?, rejects_unlisted = rejects_unlisted + ?, created = created + ?, updated = updated + ?,
  unchanged = unchanged + ?, committed_line = ?`;

const TAG_NAMES = `
  select t.name from (select line, person from contact_import_rows where import_id = ? and line > ? order by line limit ${BATCH_LINES}) r
  cross join lateral jsonb_array_elements_text(r.person -> 'tags') with ordinality as t(name, place) group by t.name order by min(r.line), min(t.place)`;
