import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { isUuid } from '../../../shared/text/formats.js';
import { RecentActivities } from '../activity/recent-activity.registry.js';
import { ProfileBackfillProgress } from '../profiles/profile-backfill-progress.service.js';
import { type CompiledFilter, FilterCompiler, type FilterUse } from './filter-compiler.service.js';
import type { SegmentFilter } from './segment-filter.js';
import { brokenReason, contactsPreparing, filterInvalid, segmentBroken, segmentNotFound } from './segments.errors.js';

interface SavedFilter {
  id: string;
  name: string;
  filter: SegmentFilter;
  labels: Record<string, string>;
}

/** Segments as SQL conditions, for modules that select people by segment. */
@Injectable()
export class SegmentConditions {
  constructor(
    private readonly em: EntityManager,
    private readonly compiler: FilterCompiler,
    private readonly preparations: ProfileBackfillProgress,
    private readonly activities: RecentActivities,
  ) {}

  /**
   * SQL condition over the profile `p`, including that the profile belongs to the account.
   * @param which id of a saved segment, or a filter
   * @param em with a transaction, a saved segment cannot be deleted until it ends
   * @param use bound for people for whom a rule's answer is not known yet; by default they are not found
   * @throws 404 for an unknown segment, 409 segment_broken, 409 preparing, 400 for an invalid filter
   */
  async of(ownerId: string, which: string | SegmentFilter, em?: EntityManager, use: FilterUse = {}): Promise<SqlPart> {
    if (await this.preparations.of(ownerId, em)) throw contactsPreparing();
    const on = em ?? this.em.fork();
    const condition =
      typeof which === 'string'
        ? (await this.ofSaved(ownerId, which, on, use)).condition
        : (await this.ofFilter(ownerId, which, on, use)).condition;
    return { sql: `p.owner_id = ? and (${condition.sql})`, params: [ownerId, ...condition.params] };
  }

  /** Whether a segment may currently miss people: while a send's audience is not frozen, its recipients are unknown. */
  async areUnsettled(ownerId: string): Promise<boolean> {
    return (await this.activities.of(ownerId, this.em.fork()))?.isUnknown ?? false;
  }

  /** @throws 400 with the path of each invalid rule */
  async ofFilter(ownerId: string, filter: unknown, em: EntityManager, use: FilterUse = {}): Promise<CompiledFilter> {
    const compiled = await this.compiler.compile(ownerId, filter, em, use);
    if ('problems' in compiled) throw filterInvalid(compiled.problems);
    return compiled;
  }

  /** Names of the account's segments by id; ids without a segment are left out. */
  async names(ownerId: string, ids: readonly string[], em = this.em.fork()): Promise<Map<string, string>> {
    const wanted = ids.filter(isUuid);
    if (wanted.length === 0) return new Map();
    const found = await rows<{ id: string; name: string }>(
      em,
      `select id, name from segments where owner_id = ? and id = any (?::uuid[])`,
      [ownerId, sqlArray(wanted)],
    );
    return new Map(found.map(({ id, name }) => [id, name]));
  }

  /** Records that a send to these segments was accepted, in the transaction that accepts it. */
  async recordUse(em: EntityManager, ownerId: string, ids: readonly string[]): Promise<void> {
    if (ids.length === 0) return;
    await changed(em, `update segments set last_used_at = now() where owner_id = ? and id = any (?::uuid[])`, [
      ownerId,
      sqlArray(ids),
    ]);
  }

  private async ofSaved(ownerId: string, id: string, em: EntityManager, use: FilterUse): Promise<CompiledFilter> {
    if (!isUuid(id)) throw segmentNotFound();
    const [saved] = await rows<SavedFilter>(
      em,
      `select id, name, filter, labels from segments where id = ? and owner_id = ? ${em.isInTransaction() ? 'for key share' : ''}`,
      [id, ownerId],
    );
    if (!saved) throw segmentNotFound();
    const compiled = await this.compiler.compile(ownerId, saved.filter, em, use);
    if ('problems' in compiled)
      throw segmentBroken({ ...saved, reason: brokenReason(compiled.problems, saved.labels) });
    return compiled;
  }
}
