import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import {
  contains,
  Keyset,
  type KeysetRow,
  type SortKey,
  withoutKeys,
} from '../../../shared/database/queries/keyset.js';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableJson } from '../../../shared/database/queries/storable-text.js';
import type { Page, PageQuery } from '../../../shared/http/index.js';
import { isoTime } from '../../../shared/text/formats.js';
import { Accounts } from '../../auth/index.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import { limitReached } from '../contacts.errors.js';
import { FilterCompiler, type FilterProblem } from './filter-compiler.service.js';
import { SegmentConditions } from './segment-conditions.service.js';
import type { SegmentFilter } from './segment-filter.js';
import { SegmentUses } from './segment-uses.registry.js';
import type { CreateSegmentDto, SegmentDto, UpdateSegmentDto } from './segment.dto.js';
import {
  brokenReason,
  segmentChanged,
  segmentInUse,
  segmentLimit,
  segmentNameTaken,
  segmentNotFound,
} from './segments.errors.js';

interface SegmentRow {
  id: string;
  name: string;
  filter: SegmentFilter;
  labels: Record<string, string>;
  version: number;
  lastCount: number | null;
  countedAt: string | Date | null;
  lastUsedAt: string | Date | null;
  createdAt: string | Date;
  updatedAt: string | Date;
}

const COLUMNS = `id, name, filter, labels, version, last_count as "lastCount", counted_at as "countedAt", last_used_at as "lastUsedAt", created_at as "createdAt", updated_at as "updatedAt"`;
const NEVER = `timestamptz '0001-01-01 00:00:00Z'`;
const SORTS: Record<string, SortKey> = {
  name: { expression: 'lower(name) collate "C"', type: 'text' },
  createdAt: { expression: 'created_at', type: 'timestamptz' },
  lastUsedAt: { expression: `coalesce(last_used_at, ${NEVER})`, type: 'timestamptz' },
};

/** The saved segments of an account. Names are unique, ignoring case. */
@Injectable()
export class Segments {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly accounts: Accounts,
    private readonly compiler: FilterCompiler,
    private readonly conditions: SegmentConditions,
    private readonly usedBy: SegmentUses,
  ) {}

  async page(ownerId: string, query: PageQuery & { limit: number }): Promise<Page<SegmentDto>> {
    const keyset = new Keyset(SORTS, query.sort ?? 'name', query.cursor, 'id');
    const text = query.search?.trim();
    const em = this.em.fork();
    const page = await readPage<SegmentRow>(em, keyset, query.limit, {
      columns: COLUMNS,
      from: 'segments',
      where: allOf([['owner_id = ?', ownerId], text && ['lower(name) like lower(?::text)', contains(text)]]),
    });
    const found = page.rows.map((row) => withoutKeys(row as SegmentRow & KeysetRow));
    return { ...page, rows: await this.views(ownerId, found as SegmentRow[], em) };
  }

  /** @throws 404 */
  async one(ownerId: string, id: string, em = this.em.fork()): Promise<SegmentDto> {
    const [found] = await rows<SegmentRow>(em, `select ${COLUMNS} from segments where id = ? and owner_id = ?`, [
      id,
      ownerId,
    ]);
    if (!found) throw segmentNotFound();
    return (await this.views(ownerId, [found], em))[0]!;
  }

  /**
   * @throws 400 for an invalid filter, 403 plan_limit, 409 if the name is taken or the account has the maximum number
   * of segments
   */
  async create(ownerId: string, { name, filter }: CreateSegmentDto): Promise<SegmentDto> {
    const compiled = await this.conditions.ofFilter(ownerId, filter, this.em.fork());
    const limit = await this.planLimitOf(ownerId);
    return inTransaction(this.em, async (em) => {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('contacts.segments:' || ?, 0))`, [ownerId]);
      const [there] = await rows<{ n: number }>(em, `select count(*)::int as n from segments where owner_id = ?`, [
        ownerId,
      ]);
      const count = there?.n ?? 0;
      if (limit !== null && count >= limit) throw segmentLimit(limit);
      if (count >= CONTACT_LIMITS.segments) throw limitReached('segments', CONTACT_LIMITS.segments);
      const [made] = await rows<{ id: string }>(
        em,
        `insert into segments (owner_id, name, filter, labels) values (?, ?, ?::jsonb, ?::jsonb) returning id`,
        [ownerId, name, storableJson(compiled.filter), storableJson(compiled.labels)],
      );
      return this.one(ownerId, made!.id, em);
    }).catch(nameTaken);
  }

  /**
   * Changes the name or filter. A new filter clears the stored count.
   * @throws 400, 404, 409 if the name is taken or the version is outdated
   */
  async update(ownerId: string, id: string, { name, filter, version }: UpdateSegmentDto): Promise<SegmentDto> {
    const compiled = filter === undefined ? undefined : await this.conditions.ofFilter(ownerId, filter, this.em.fork());
    const json = compiled ? storableJson(compiled.filter) : null;
    const [saved] = await rows<{ id: string }>(
      this.em.fork(),
      `update segments set name = coalesce(?::text, name), version = version + 1, updated_at = now(),
         last_count = case when ?::jsonb is null or ?::jsonb = filter then last_count end, counted_at = case when ?::jsonb is null or ?::jsonb = filter then counted_at end,
         filter = coalesce(?::jsonb, filter), labels = coalesce(?::jsonb, labels)
       where id = ? and owner_id = ? and (?::int is null or version = ?::int) returning id`,
      [name, json, json, json, json, json, compiled && storableJson(compiled.labels), id, ownerId, version, version],
    ).catch(nameTaken);
    const now = await this.one(ownerId, id);
    if (!saved) throw segmentChanged(now.version);
    return now;
  }

  /** @throws 404, 409 in_use */
  async remove(ownerId: string, id: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      // Each new use locks the segment's row, so none can begin during the deletion.
      const found = await rows(em, `select 1 from segments where id = ? and owner_id = ? for update`, [id, ownerId]);
      if (found.length === 0) throw segmentNotFound();
      const [use] = await this.usedBy.of(em, ownerId, id);
      if (use !== undefined) throw segmentInUse(use);
      await changed(em, `delete from segments where id = ?`, [id]);
    });
  }

  /** Stores the number of members, unless the filter has changed since they were counted. */
  async noteCount(ownerId: string, id: string, version: number, count: number): Promise<void> {
    await changed(
      this.em.fork(),
      `update segments set last_count = ?, counted_at = now() where id = ? and owner_id = ? and version = ?`,
      [count, id, ownerId, version],
    );
  }

  /**
   * Maximum number of segments on the Free plan. Existing segments beyond it stay usable.
   * @returns null on other plans, and if no limit is configured
   */
  private async planLimitOf(ownerId: string): Promise<number | null> {
    const limit = this.settings.freeSegmentLimit;
    if (limit === undefined) return null;
    return (await this.accounts.entitlementsOf(ownerId)).plan === 'free' ? limit : null;
  }

  private async views(ownerId: string, found: readonly SegmentRow[], em: EntityManager): Promise<SegmentDto[]> {
    if (found.length === 0) return [];
    const { check } = await this.compiler.forAccount(ownerId, em);
    const views: SegmentDto[] = [];
    for (const row of found) views.push(view(row, await check(row.filter)));
    return views;
  }
}

function view(
  { countedAt, lastUsedAt, createdAt, updatedAt, ...row }: SegmentRow,
  problems: readonly FilterProblem[],
): SegmentDto {
  return {
    ...row,
    filter: row.filter as unknown as SegmentDto['filter'],
    broken: problems.length > 0 ? brokenReason(problems, row.labels) : null,
    countedAt: isoTime(countedAt),
    lastUsedAt: isoTime(lastUsedAt),
    createdAt: isoTime(createdAt)!,
    updatedAt: isoTime(updatedAt)!,
  };
}

function nameTaken(error: unknown): never {
  throw error instanceof UniqueConstraintViolationException ? segmentNameTaken() : error;
}
