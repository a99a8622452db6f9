import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { retryDeadlocks } from '../../../shared/database/queries/retry-deadlocks.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { AppError } from '../../../shared/errors/app-error.js';
import { Accounts } from '../../auth/index.js';
import { Lists } from '../../lists/index.js';
import { Notifications } from '../../notifications/index.js';
import {
  type AcceptedPlan,
  PlannedSends,
  type PreparedPlan,
  type SendAcceptedDto,
  type SendEmailDto,
} from '../../sending/index.js';
import { reasonText } from './block-reasons.js';
import { FileWaits } from './file-waits.js';
import { ScheduleClock, ScheduleTuning } from './schedule-clock.js';
import { ScheduleReader } from '../schedule-reader.service.js';
import { alreadySent, listsGone, suspendedThen, unknownScheduled, versionConflict } from '../schedules.errors.js';

/** A due send, read before its row is locked. */
interface DueSend {
  id: string;
  userId: string;
  send: SendEmailDto;
  version: number;
  draftId: string | null;
  isMissed: boolean;
  /** Error code and message of the last refusal, because of which the send waits; null: it was not refused yet. */
  waitsFor: string | null;
  waitsForText: string | null;
}

/** Temporary refusals: the send is tried again until it is too late. */
const PASSING = new Set(['preparing']);
/**
 * Refusal of a send whose files are still being scanned. The send keeps this reason while it waits, and later sends of
 * the account may overtake it.
 */
const FILES_CHECKED = 'file_not_ready';

/** SQL condition: a due send `s` waits for its files. */
const WAITS = 's.reason is not null';
/**
 * SQL condition on a due send `s`: it is not waiting for its files, or was not tried just now. Parameter: ids of the
 * sends that were tried just now.
 */
const IS_TRIED = `(s.reason is null or s.id <> all(?::uuid[]))`;

/** Whether an error is a refusal of the email, other than a temporary one in PASSING, and not a fault of the server. */
const isRefusal = (error: unknown): error is AppError =>
  error instanceof AppError && error.status < 500 && !PASSING.has(error.code);

/** Thrown inside the transaction that takes a send, if another worker or the user was faster. */
class TakenElsewhere extends Error {}

/**
 * Accepts scheduled sends that are due. One transaction locks the row, accepts the send under the key `scheduled:{id}`
 * and stores the id of its history entry, or does none of this. Any number of workers may run, and any of them may
 * crash at any point.
 */
@Injectable()
export class DueSends {
  private readonly log = new Logger(DueSends.name);
  private readonly running = new Map<string, Promise<void>>();
  private readonly fileWaits = new FileWaits();

  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly lists: Lists,
    private readonly sends: PlannedSends,
    private readonly reader: ScheduleReader,
    private readonly clock: ScheduleClock,
    private readonly tuning: ScheduleTuning,
    private readonly settings: Settings,
    private readonly notifications: Notifications,
  ) {}

  /**
   * Accounts with a due send, the longest overdue first. Accounts whose due sends all wait for their files come last,
   * and are left out while this process has only just tried those sends.
   */
  async dueUsers(limit: number): Promise<string[]> {
    const due = await rows<{ userId: string }>(
      this.em.fork(),
      `select user_id as "userId" from (
         select s.user_id, s.due_at, ${WAITS} as waits from scheduled_sends s
         where s.state = 'scheduled' and s.due_at <= ${this.clock.sql} and ${IS_TRIED} order by waits, s.due_at limit ?
       ) due group by user_id order by min(due_at) filter (where not waits) nulls last, min(due_at)`,
      [this.justTried(), limit],
    );
    return due.map(({ userId }) => userId);
  }

  /** @returns ms until a send is due, negative if it is overdue; null if the send is no longer scheduled */
  async dueIn(id: string): Promise<{ userId: string; ms: number } | null> {
    const [found] = await rows<{ userId: string; ms: number }>(
      this.em.fork(),
      `select user_id as "userId", (extract(epoch from due_at - ${this.clock.sql}) * 1000)::float8 as ms from scheduled_sends where id = ? and state = 'scheduled'`,
      [id],
    );
    return found ?? null;
  }

  /**
   * Sends everything of one account that is due, the earliest first, and sends that wait for their files last. A daily
   * limit that was lowered meanwhile blocks the later ones.
   */
  leaveAll(userId: string): Promise<void> {
    const running = this.running.get(userId) ?? this.leaveInOrder(userId).finally(() => this.running.delete(userId));
    this.running.set(userId, running);
    return running;
  }

  /**
   * Sends one scheduled send immediately at the user's request, even if it is blocked. A refusal leaves it unchanged.
   * @throws 404, 409, and the errors of send-email
   */
  async sendNow(userId: string, id: string): Promise<SendAcceptedDto> {
    const stored = await this.reader.one(userId, id);
    if (stored.state === 'sent') throw alreadySent(stored.historyId);
    const [due] = await this.read(`s.id = ? and s.user_id = ? and s.state in ('scheduled', 'blocked')`, [id, userId]);
    if (!due) throw stored.state === 'cancelled' ? versionConflict() : unknownScheduled();
    try {
      const accepted = await this.accept(due, 'now');
      await this.sends.announce(accepted);
      return await accepted.answer();
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) throw error;
      const { historyId, state } = await this.reader.one(userId, id);
      throw state === 'sent' ? alreadySent(historyId) : versionConflict();
    }
  }

  private async leaveInOrder(userId: string): Promise<void> {
    const tried: string[] = [];
    for (;;) {
      const [due] = await this.read(
        `s.user_id = ? and s.state = 'scheduled' and s.due_at <= ${this.clock.sql} and s.id <> all(?::uuid[]) and ${IS_TRIED} order by ${WAITS}, s.due_at, s.id limit 1`,
        [userId, sqlArray(tried), this.justTried()],
      );
      if (!due || !(await this.leave(due))) return;
      tried.push(due.id);
    }
  }

  /**
   * @returns whether the account's next send may follow; false if another worker has taken `due`, or if `due` has to be
   * tried again
   */
  private async leave(due: DueSend): Promise<boolean> {
    try {
      if (due.isMissed) await this.blockMissed(due);
      else await this.sends.announce(await this.accept(due, 'due'));
      return true;
    } catch (error) {
      if (error instanceof TakenElsewhere) return false;
      if (error instanceof AppError && error.code === FILES_CHECKED) {
        await this.wait(due, error);
        return true;
      }
      if (isRefusal(error)) {
        await this.block(due, error.code, error.message);
        return true;
      }
      this.log.error({ err: error, scheduledId: due.id, code: 'schedule_failed' }, 'a scheduled send did not leave');
      return false;
    }
  }

  /** @throws AppError if the send cannot leave, TakenElsewhere */
  private async accept(due: DueSend, why: 'due' | 'now'): Promise<AcceptedPlan> {
    const request = await this.prepare(due, why);
    return retryDeadlocks(() =>
      inTransaction(this.em, async (em) => {
        if (!(await this.accounts.holdInGoodStanding(em, [due.userId], 'wait')).has(due.userId)) throw suspendedThen();
        await this.take(em, due, why);
        const accepted = await this.sends.accept(em, request);
        await changed(
          em,
          `update scheduled_sends set state = 'sent', reason = null, reason_message = null, history_id = ?, version = version + 1, updated_at = now(),
             usage_date = coalesce((select h.usage_date from email_history h where h.id = ?::uuid), usage_date)
           where id = ?`,
          [accepted.sendId, accepted.sendId, due.id],
        );
        return accepted;
      }),
    );
  }

  /** @throws AppError if the send cannot leave */
  private async prepare(due: DueSend, why: 'due' | 'now'): Promise<PreparedPlan> {
    const user = await this.accounts.actingUser(due.userId);
    if (!user) throw suspendedThen();
    const body = await this.bodyOf(due);
    const identity = { key: `scheduled:${due.id}`, draftId: due.draftId };
    return this.sends.prepare(user, body, identity, why === 'due' ? 'ignore' : 'respect');
  }

  /**
   * Takes a send by locking its row, if the row is unchanged since it was read. A due send must also not overtake an
   * earlier due send of the account, unless the earlier one waits for its files. The waiting send keeps its place in
   * the day's limit, but due sends ignore held places: if the limit has been lowered meanwhile, a later send may take
   * the last place, and the waiting send is blocked. In state `leaving` a row holds no place, so that its own
   * acceptance can take the place.
   */
  private async take(em: EntityManager, { id, userId, version }: DueSend, why: 'due' | 'now'): Promise<void> {
    const isDue = `s.state = 'scheduled' and s.due_at <= ${this.clock.sql} and not exists (select 1 from scheduled_sends e
      where e.user_id = s.user_id and e.state = 'scheduled' and e.reason is null and (e.due_at, e.id) < (s.due_at, s.id))`;
    const [taken] = await rows(
      em,
      `select 1 from scheduled_sends s where s.id = ? and s.user_id = ? and s.version = ?
         and ${why === 'due' ? isDue : `s.state in ('scheduled', 'blocked')`} for update of s skip locked`,
      [id, userId, version],
    );
    if (!taken) throw new TakenElsewhere();
    await changed(em, `update scheduled_sends set state = 'leaving' where id = ?`, [id]);
  }

  /** Records that a send waits for its files. A later sweep tries it again, until it is too late. */
  private async wait({ id, version, waitsForText }: DueSend, { code, message }: AppError): Promise<void> {
    this.fileWaits.noteTry(id);
    if (waitsForText !== message)
      await changed(
        this.em.fork(),
        `update scheduled_sends set reason = ?, reason_message = ? where id = ? and version = ? and state = 'scheduled'`,
        [code, message, id, version],
      );
  }

  /**
   * Blocks a send that is too late. If the send waited for its files, the stored reason is the refusal that applies
   * now, which may differ from the earlier one.
   */
  private async blockMissed(due: DueSend): Promise<void> {
    const refusal = due.waitsFor === null ? null : await this.refusalOf(due);
    await this.block(due, refusal?.code ?? 'missed', refusal?.message ?? null);
  }

  /** @throws temporary errors, after which the send is tried again */
  private async refusalOf(due: DueSend): Promise<AppError | null> {
    try {
      await this.prepare(due, 'due');
      return null;
    } catch (error) {
      if (isRefusal(error)) return error;
      throw error;
    }
  }

  private justTried(): string {
    return sqlArray(this.fileWaits.within(this.tuning.fileRetryMs));
  }

  /** Blocks a send and notifies its user; does nothing if another worker or the user has changed it meanwhile. */
  private async block({ id, version }: DueSend, reason: string, message: string | null): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [blocked] = await rows<{ userId: string; subject: string; at: string }>(
        em,
        `update scheduled_sends set state = 'blocked', reason = ?, reason_message = ?, version = version + 1, updated_at = now()
         where id = ? and version = ? and state = 'scheduled'
         returning user_id as "userId", send ->> 'subject' as subject, to_char(local_at, 'YYYY-MM-DD"T"HH24:MI') as at`,
        [reason, message, id, version],
      );
      if (blocked)
        await this.notifications.add(em, {
          userId: blocked.userId,
          kind: 'schedule.blocked',
          groupKey: `schedule:${id}`,
          params: { scheduledId: id, subject: blocked.subject, reason: reasonText(reason, blocked.at, message) },
        });
    });
  }

  /** The email without the lists that were deleted since. @throws AppError `no_lists` if no list or segment is left */
  private async bodyOf({ userId, send }: DueSend): Promise<SendEmailDto> {
    const chosen = send.emailListIds ?? [];
    if (chosen.length === 0) return send;
    const present = (await this.lists.present({ id: userId }, chosen)).map(({ id }) => id);
    if (present.length === 0 && !send.segmentIds?.length) throw listsGone();
    return { ...send, emailListIds: present };
  }

  private read(where: string, params: unknown[]): Promise<DueSend[]> {
    const late = this.settings.scheduleLateMinutes;
    return rows<DueSend>(
      this.em.fork(),
      `select s.id, s.user_id as "userId", s.send, s.version, s.draft_id as "draftId", s.reason as "waitsFor", s.reason_message as "waitsForText",
         s.due_at < ${this.clock.sql} - make_interval(mins => ?) as "isMissed"
       from scheduled_sends s where ${where}`,
      [late, ...params],
    );
  }
}
