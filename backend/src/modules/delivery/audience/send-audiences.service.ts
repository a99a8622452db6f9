import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { changed, rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import { isTimeout, withinMs } from '../../../shared/database/queries/within-ms.js';
import { AppError } from '../../../shared/errors/app-error.js';
import { SegmentUses } from '../../contacts/index.js';
import { ListUses } from '../../lists/index.js';
import type { AudienceChoice, AudienceCounts } from './audience-choice.js';
import { DeliveryTuning } from '../delivery-tuning.js';
import { AudienceEvaluation } from './audience-evaluation.service.js';
import { ChoiceResolver, type ResolvedFor } from './choice-resolver.service.js';
import { planForLargeAudience } from './large-audience-plan.js';

interface OpenAudience {
  choices: AudienceChoice;
  isCancelled: boolean;
  hasEarlier: boolean;
}

/**
 * SQL of the choice of a send whose audience is not frozen, and whether an earlier send of the account is still
 * unfrozen too. Earlier sends that were cancelled do not count, because they get no members.
 */
const OPEN = `
  select a.choices, h.cancelled_at is not null as "isCancelled", exists (
    select 1 from email_history e join send_layouts l on l.history_id = e.id join send_audiences o on o.history_id = e.id
    where e.user_id = h.user_id and (e.sent_at, e.id) < (h.sent_at, h.id) and e.cancelled_at is null and o.frozen_at is null) as "hasEarlier"
  from send_audiences a join email_history h on h.id = a.history_id where a.history_id = ? and a.frozen_at is null`;

/** Result of accepting a choice. */
export type AcceptedAudience =
  | { isFrozen: true; counts: AudienceCounts }
  /** `counts` is null if counting took too long. */
  | { isFrozen: false; counts: AudienceCounts | null };

/** A send's audience as reports show it. */
export interface ReportedAudience {
  choices: AudienceChoice;
  frozenAt: Date | null;
  leftOut: number;
  failure: string | null;
}

/**
 * Freezes the audiences of sends with segments, exclusions, rules or caps. This happens once per send: when the send is
 * accepted, or as the first step of a worker.
 */
@Injectable()
export class SendAudiences implements OnModuleInit {
  constructor(
    private readonly em: EntityManager,
    private readonly resolver: ChoiceResolver,
    private readonly audience: AudienceEvaluation,
    private readonly segmentUses: SegmentUses,
    private readonly tuning: DeliveryTuning,
    private readonly listUses: ListUses,
  ) {}

  onModuleInit(): void {
    this.segmentUses.add({ uses: (em, ownerId, segmentId) => this.usesOf(em, ownerId, segmentId) });
    this.listUses.add({ needs: (em, listId) => this.leavesOut(em, listId) });
  }

  /**
   * Stores the choice of a send, and freezes its audience if it is small.
   * @param limit maximum number of memberships up to which the audience is frozen here
   * @throws 404, 409 if a segment cannot be evaluated
   */
  async accept(
    em: EntityManager,
    sendId: string,
    choice: AudienceChoice,
    of: ResolvedFor,
    limit: number,
  ): Promise<AcceptedAudience> {
    const judged = await this.resolver.resolve(em, choice, of);
    await changed(em, `insert into send_audiences (history_id, choices) values (?, ?::jsonb)`, [
      sendId,
      JSON.stringify(choice),
    ]);
    if ((await this.audience.size(em, judged, limit + 1)) > limit)
      return {
        isFrozen: false,
        counts: await withinMs(em, this.tuning.countMs, () => this.audience.count(em, judged)),
      };
    const counts = await this.audience.freeze(em, sendId, judged);
    await this.noteFrozen(em, sendId);
    return { isFrozen: true, counts };
  }

  /**
   * Freezes a large audience, in the transaction that has locked the send's expansion. Waits for the audiences of the
   * account's earlier sends, because segments ask who was mailed by them. If a segment no longer works or freezing
   * takes too long, the send ends without recipients and stores the reason.
   * @returns frozen: the audience was frozen now, or freezing failed for good; before: the audience was frozen earlier;
   * cancelled: the send gets no rows; busy: an earlier audience is not frozen yet, or the contacts are still being
   * prepared
   */
  async freezeIfOpen(
    em: EntityManager,
    sendId: string,
    of: ResolvedFor,
  ): Promise<'frozen' | 'before' | 'cancelled' | 'busy'> {
    const [open] = await rows<OpenAudience>(em, OPEN, [sendId]);
    if (!open) return 'before';
    if (open.isCancelled) {
      await this.noteFrozen(em, sendId);
      return 'cancelled';
    }
    if (open.hasEarlier) return 'busy';
    const started = performance.now();
    await planForLargeAudience(em);
    await rows(em, `select set_config('statement_timeout', ?::text, true)`, [String(this.tuning.freezeMs)]);
    await rows(em, 'savepoint freezing');
    try {
      const judged = await this.resolver.resolve(em, open.choices, { ...of, sendId });
      await this.audience.freeze(em, sendId, judged);
      await this.noteFrozen(em, sendId);
    } catch (error) {
      if (error instanceof AppError && error.code === 'preparing') return 'busy';
      const reason = finalReason(error, performance.now() - started >= this.tuning.freezeMs);
      if (!reason) throw error;
      await rows(em, 'rollback to savepoint freezing');
      await changed(em, `update send_audiences set frozen_at = clock_timestamp(), failure = ? where history_id = ?`, [
        reason,
        sendId,
      ]);
    }
    return 'frozen';
  }

  /** SQL of the next members in address order, with the same columns as Audience.pageSql. */
  pageSql(sendId: string, { after, limit }: { after: string; limit: number }): SqlPart {
    return {
      sql: `select m.contact_id, m.email_list_id, m.email, m.email_norm, m.email_hash, m.name, m.masked
        from send_members m where m.history_id = ? and m.email_norm > ? order by m.email_norm limit ?`,
      params: [sendId, after, limit],
    };
  }

  /** SQL of all members in address order. */
  allSql(sendId: string): SqlPart {
    return {
      sql: `select m.contact_id, m.email_list_id, m.email, m.email_norm, m.email_hash, m.name, m.masked
        from send_members m where m.history_id = ? order by m.email_norm`,
      params: [sendId],
    };
  }

  /** Sends that still need a segment, because their audience is not frozen yet. */
  private async usesOf(em: EntityManager, ownerId: string, segmentId: string): Promise<string[]> {
    const found = await rows<{ subject: string }>(
      em,
      `select h.subject from send_audiences a join email_history h on h.id = a.history_id
       where h.user_id = ? and a.frozen_at is null and (a.choices -> 'segmentIds' @> to_jsonb(?::text) or a.choices -> 'excludeSegmentIds' @> to_jsonb(?::text))`,
      [ownerId, segmentId, segmentId],
    );
    return found.map(({ subject }) => `the send "${subject}"`);
  }

  /** Whether a send that excludes this list still has to freeze its audience. */
  private async leavesOut(em: EntityManager, listId: string): Promise<boolean> {
    const found = await rows(
      em,
      `select 1 from send_audiences a join send_layouts l on l.history_id = a.history_id
       where a.frozen_at is null and a.choices -> 'excludeListIds' @> to_jsonb(?::text) limit 1`,
      [listId],
    );
    return found.length > 0;
  }

  /** @returns null for a send to plain lists */
  async reported(em: EntityManager, sendId: string): Promise<ReportedAudience | null> {
    const [found] = await rows<ReportedAudience>(
      em,
      `select choices, frozen_at as "frozenAt", left_out as "leftOut", failure from send_audiences where history_id = ?`,
      [sendId],
    );
    return found ?? null;
  }

  /**
   * Whether a send with a choice goes to the shared network, so that its number of recipients has to be shown rounded.
   */
  async isOverNetwork(em: EntityManager, sendId: string): Promise<boolean> {
    const found = await rows(
      em,
      `select 1 from send_audiences a join email_lists l on l.is_default and a.choices -> 'listIds' @> to_jsonb(l.id::text) where a.history_id = ?`,
      [sendId],
    );
    return found.length > 0;
  }

  /** Deletes the members of a send. Call it once nothing reads them any more. */
  async forgetMembers(em: EntityManager, sendId: string): Promise<void> {
    await changed(em, `delete from send_members where history_id = ?`, [sendId]);
  }

  private async noteFrozen(em: EntityManager, sendId: string): Promise<void> {
    await changed(
      em,
      `update send_audiences set frozen_at = clock_timestamp(), left_out = (select count(*) from send_left_out l where l.history_id = ?) where history_id = ?`,
      [sendId, sendId],
    );
  }
}

/** @returns why an audience can never be frozen, in words; null if trying again may help */
function finalReason(error: unknown, isOverTime: boolean): string | null {
  if (error instanceof AppError) return error.status === 404 || error.code === 'segment_broken' ? error.message : null;
  if (isOverTime && isTimeout(error))
    return 'It took too long to work out whom this send goes to, and nobody was mailed. Choose fewer people, or simpler segments, and send again.';
  return null;
}
