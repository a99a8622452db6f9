import { setTimeout as delay } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { inTransaction, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { isTimeout } from '../../../shared/database/queries/within-ms.js';
import { contactTypeOfRole } from '../../../shared/enums.js';
import { invalid } from '../../../shared/errors/app-error.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { AccountConcurrency } from '../../../shared/http/rate-limits/account-concurrency.js';
import { Memberships } from '../profiles/memberships.registry.js';
import { SegmentConditions } from './segment-conditions.service.js';
import type { SegmentFilter } from './segment-filter.js';
import type { CountRequestDto, SegmentCountDto, SegmentSampleDto } from './segment.dto.js';
import { countFailed } from './segments.errors.js';
import { Segments } from './segments.service.js';

/** Time limits of an exact count in ms: by default, and if an exact number was requested. */
const QUICK_MS = 900;
const EXACT_MS = 5_000;
/**
 * Delay in ms after which an estimate starts while the exact count is still running. Most counts end earlier; an
 * estimate for them would only occupy a connection.
 */
const ESTIMATE_AFTER_MS = 150;
const ESTIMATE_MS = 2_500;
/**
 * Approximate ratio of the time of an exact count to that of an estimate. An estimate reads 1 in 16 profiles, which are
 * on half of the pages.
 */
const EXACT_RATIO = 10;
/** After a quick exact count was too slow, time in ms for which the counts of its account begin with an estimate. */
const REMEMBER_SLOW_MS = 600_000;
const MAX_SLOW_OWNERS = 1_000;

/** An estimate reads only profiles whose address hash begins with one of these bytes: 16 of the 256 possible values. */
const BUCKETS = Array.from({ length: 16 }, (_, n) => n * 16 + 7);
const SCALE = 256 / BUCKETS.length;
const DIGITS = 3;

const SAMPLE_PEOPLE = 5;
/**
 * Maximum number of matches for which the query for the sample is `materialized`, so that it has the same plan as the
 * count.
 */
const MAX_MATCHES_OF_SHARED_PLAN = 2_000;

const concurrency = new AccountConcurrency({ perAccount: 2, mostWaiting: 10 });

type Numbers = Omit<SegmentCountDto, 'approximate'>;

/** Counts the people that a filter finds, exactly or by an estimate, within a bounded time. */
@Injectable()
export class SegmentCounts {
  constructor(
    private readonly em: EntityManager,
    private readonly conditions: SegmentConditions,
    private readonly memberships: Memberships,
    private readonly segments: Segments,
  ) {}

  /** Per account, the time until which counts begin with the estimate. */
  private readonly slow = new Map<string, number>();

  /** @throws 400, 404, 409 preparing, 409 segment_broken, 429, 503 if even the estimate took too long */
  async count(user: RequestUser, { filter, segmentId, exact = false }: CountRequestDto): Promise<SegmentCountDto> {
    if ((filter === undefined) === (segmentId === undefined))
      throw invalid('filter', 'Please give either a filter or segmentId');
    const saved = segmentId === undefined ? undefined : await this.segments.one(user.id, segmentId);
    const which = saved ? saved.id : (filter as unknown as SegmentFilter);
    concurrency.assertRoom(user.id, 'counts');
    return concurrency.take(user.id, async () => {
      const condition = await this.conditions.of(user.id, which);
      const counted = await this.counted(user, condition, exact);
      if (saved && !counted.approximate) await this.segments.noteCount(user.id, saved.id, saved.version, counted.count);
      return counted;
    });
  }

  private async counted(user: RequestUser, condition: SqlPart, isExact: boolean): Promise<SegmentCountDto> {
    // An admin may send both types.
    const type = user.isAdmin ? null : contactTypeOfRole(user.role);
    const mailable = this.memberships.lists.mailable(user.id, type);
    if (!isExact && this.isSlow(user.id)) return this.countedNearly(user.id, condition, mailable);
    const stop = new AbortController();
    const exact = this.exact(condition, mailable, isExact ? EXACT_MS : QUICK_MS).finally(() => stop.abort());
    const estimate = this.estimateAfter(condition, mailable, stop.signal);
    // A failed estimate matters only if the exact count does not finish.
    estimate.catch(() => undefined);
    const found = await exact;
    if (found) return { ...found, approximate: false };
    if (!isExact) this.noteSlow(user.id);
    const near = await estimate;
    if (!near) throw countFailed();
    return { ...near, approximate: true };
  }

  /** Estimates first. Counts exactly afterwards only if that is likely to finish in time. */
  private async countedNearly(ownerId: string, condition: SqlPart, mailable: SqlPart): Promise<SegmentCountDto> {
    const start = performance.now();
    const near = await this.estimate(condition, mailable);
    const spent = performance.now() - start;
    if (spent * EXACT_RATIO < QUICK_MS) {
      const found = await this.exact(condition, mailable, QUICK_MS - spent);
      if (found) return { ...found, approximate: false };
      this.noteSlow(ownerId);
    }
    if (!near) throw countFailed();
    return { ...near, approximate: true };
  }

  private isSlow(ownerId: string): boolean {
    return (this.slow.get(ownerId) ?? 0) > performance.now();
  }

  private noteSlow(ownerId: string): void {
    this.slow.delete(ownerId);
    this.slow.set(ownerId, performance.now() + REMEMBER_SLOW_MS);
    if (this.slow.size > MAX_SLOW_OWNERS) this.slow.delete(this.slow.keys().next().value!);
  }

  /**
   * Counts exactly.
   * @returns null if this takes longer than `ms`
   */
  private exact(condition: SqlPart, mailable: SqlPart, ms: number): Promise<Numbers | null> {
    return this.limited(ms, async (em, renew) => {
      // The sample of a large result is selected by address hash during the count.
      const found = await countOf(em, condition, mailable, 'filter (where get_byte(p.email_hash, 1) < 4)');
      await renew();
      const { count, mailable: sendable, ids } = found;
      return { count, mailable: sendable, sample: await this.sample(em, condition, count, ids) };
    });
  }

  private async estimateAfter(condition: SqlPart, mailable: SqlPart, signal: AbortSignal): Promise<Numbers | null> {
    const isNeeded = await delay(ESTIMATE_AFTER_MS, true, { signal }).catch(() => false);
    return isNeeded ? this.estimate(condition, mailable) : null;
  }

  /**
   * Estimates the numbers.
   * @returns null if this takes longer than ESTIMATE_MS
   */
  private estimate(condition: SqlPart, mailable: SqlPart): Promise<Numbers | null> {
    const part = allOf([condition, [`get_byte(p.email_hash, 0) = any (array[${BUCKETS.join(', ')}])`]]);
    return this.limited(ESTIMATE_MS, async (em) => {
      const { count, mailable: sendable, ids } = await countOf(em, part, mailable, '');
      return { count: rounded(count * SCALE), mailable: rounded(sendable * SCALE), sample: await people(em, ids) };
    });
  }

  private async sample(
    em: EntityManager,
    condition: SqlPart,
    count: number,
    ids: readonly string[],
  ): Promise<SegmentSampleDto[]> {
    if (ids.length >= Math.min(SAMPLE_PEOPLE, count)) return people(em, ids);
    const from = count > MAX_MATCHES_OF_SHARED_PLAN ? '' : 'materialized';
    const found = await rows<{ id: string }>(
      em,
      `with m as ${from} (select p.id from contact_profiles p where ${condition.sql}) select id from m limit ${SAMPLE_PEOPLE}`,
      condition.params,
    );
    return people(
      em,
      found.map(({ id }) => id),
    );
  }

  /**
   * Runs `read` in a read-only transaction of at most `ms` milliseconds.
   * @returns null if `read` takes longer
   */
  private async limited<T>(
    ms: number,
    read: (em: EntityManager, renew: () => Promise<void>) => Promise<T>,
  ): Promise<T | null> {
    const ends = performance.now() + ms;
    const renew = async (em: EntityManager): Promise<void> => {
      const left = Math.max(1, Math.round(ends - performance.now()));
      await rows(em, `select set_config('statement_timeout', ?::text, true)`, [String(left)]);
    };
    try {
      return await inTransaction(this.em, async (em) => {
        await rows(
          em,
          `select set_config('transaction_read_only', 'on', true), set_config('work_mem', '32MB', true), set_config('jit', 'off', true), set_config('enable_seqscan', 'off', true)`,
        );
        await renew(em);
        return read(em, () => renew(em));
      });
    } catch (error) {
      if (isTimeout(error)) return null;
      throw error;
    }
  }
}

/** @param sampled SQL filter of the aggregate that selects people for the sample */
async function countOf(
  em: EntityManager,
  condition: SqlPart,
  mailable: SqlPart,
  sampled: string,
): Promise<{ count: number; mailable: number; ids: string[] }> {
  const [found] = await rows<{ count: number; mailable: number; ids: string[] | null }>(
    em,
    `select count(*)::int as count, (count(*) filter (where ${mailable.sql}))::int as mailable, (array_agg(p.id) ${sampled})[1:${SAMPLE_PEOPLE}] as ids
     from contact_profiles p where ${condition.sql}`,
    [...mailable.params, ...condition.params],
  );
  return { count: found?.count ?? 0, mailable: found?.mailable ?? 0, ids: found?.ids ?? [] };
}

const people = (em: EntityManager, ids: readonly string[]): Promise<SegmentSampleDto[]> =>
  rows<SegmentSampleDto>(
    em,
    `select p.id, p.email, p.first_name as "firstName", p.last_name as "lastName", p.company from contact_profiles p
     where p.id = any (?::uuid[]) order by p.created_at desc, p.id`,
    [[...ids]],
  );

function rounded(value: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, value))) + 1 - DIGITS);
  return Math.round(value / unit) * unit;
}
