import { createHash } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { storableJson } from '../../shared/database/queries/storable-text.js';
import { invalid } from '../../shared/errors/app-error.js';
import type { RequestUser } from '../../shared/http/index.js';
import { Accounts } from '../auth/index.js';
import { Drafts, draftSent, Pictures } from '../composing/index.js';
import { SendRecords } from '../history/index.js';
import { keyOfAnotherSend, type PlannedSend, PlannedSends, type SendEmailDto } from '../sending/index.js';
import { dueTimeOf, type LocalTime, ZONE_DATA } from './due/due-time.js';
import { ScheduledPlaces } from './held-places.js';
import { ScheduleClock } from './due/schedule-clock.js';
import { ScheduleHints } from './due/schedule-hints.service.js';
import { ScheduleReader } from './schedule-reader.service.js';
import type { ScheduledSendRow } from './scheduled-rows.js';
import {
  alreadySent,
  suspendedThen,
  timeFar,
  timePast,
  timeSkipped,
  unknownScheduled,
  versionConflict,
} from './schedules.errors.js';

const MINUTE_MS = 60_000;
const MAX_AHEAD_MS = 180 * 24 * 60 * MINUTE_MS;

/** A change of a scheduled send; absent parts keep their values. */
export interface ScheduleChange {
  send?: unknown;
  at?: string;
  timeZone?: string;
  later?: boolean;
  version: number;
}

interface Held {
  state: string;
  version: number;
  at: string;
  timeZone: string;
  later: boolean;
  dueAt: Date;
  usageDate: string;
  historyId: string | null;
}

/**
 * Schedules emails, and changes or cancels them until they are taken for sending (see decisions.md: scheduled-sends).
 * Takes locks in this order: the account, the row, the user's lock `send:{user}`.
 */
@Injectable()
export class Schedules {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly sends: PlannedSends,
    private readonly places: ScheduledPlaces,
    private readonly drafts: Drafts,
    private readonly records: SendRecords,
    private readonly pictures: Pictures,
    private readonly clock: ScheduleClock,
    private readonly reader: ScheduleReader,
    private readonly hints: ScheduleHints,
  ) {}

  /** @throws the errors of send-email, 400 for the time, 403 `plan_limit`, 429 if the day's limit is reached */
  async create(user: RequestUser, given: { send: unknown } & LocalTime, key?: string): Promise<ScheduledSendRow> {
    const body = await this.sends.read(given.send);
    const identity = this.sends.identityOf(body, key);
    const requestHash = hashOf(this.sends.hash(body), given);
    const earlier = await this.earlier(this.em.fork(), user.id, identity, requestHash);
    if (earlier) return this.reader.one(user.id, earlier);
    const planned = await this.sends.check(user, body, identity);
    const limits = await this.places.limitsOf(user.id);
    const id = await inTransaction(this.em, async (em) => {
      await this.holdAccount(em, user.id);
      await lockSends(em, user.id);
      const repeated = await this.earlier(em, user.id, identity, requestHash);
      if (repeated) return repeated;
      const dueAt = await this.dueAt(em, given);
      const usageDate = await this.places.require(em, user, limits, dueAt);
      if (identity.draftId) await this.takeDraft(em, user.id, planned);
      if (planned.document) await this.pictures.lockShown(em, user.id, planned.document);
      const [made] = await rows<{ id: string }>(
        em,
        `insert into scheduled_sends (user_id, send, content_hash, local_at, time_zone, later, due_at, zone_data, usage_date, idempotency_key, draft_id, estimate)
         values (?, ?::jsonb, ?, ?::timestamp, ?, ?, ?, ?, ?::date, ?, ?, ?::jsonb) returning id`,
        [
          user.id,
          storableJson(storedBody(body)),
          requestHash,
          given.at,
          given.timeZone,
          given.later,
          dueAt,
          ZONE_DATA,
          usageDate,
          identity.key,
          identity.draftId,
          JSON.stringify(planned.estimate),
        ],
      );
      return made!.id;
    });
    await this.hints.soon(id);
    return this.reader.one(user.id, id);
  }

  /** @throws 404, 409 `version_conflict` or `already_leaving`, and the errors of `create` */
  async change(user: RequestUser, id: string, { send, version, ...time }: ScheduleChange): Promise<ScheduledSendRow> {
    const stored = await this.reader.one(user.id, id);
    const body = send === undefined ? null : await this.sends.read(send);
    const planned = body && (await this.sends.check(user, body, this.sends.identityOf(withoutDraft(body))));
    const limits = await this.places.limitsOf(user.id);
    await inTransaction(this.em, async (em) => {
      await this.holdAccount(em, user.id);
      const held = await this.hold(em, user.id, id);
      if (held.state === 'sent') throw alreadySent(held.historyId);
      if (held.version !== version || !['scheduled', 'blocked'].includes(held.state)) throw versionConflict();
      await lockSends(em, user.id);
      const isMoved = held.state === 'blocked' || Object.values(time).some((part) => part !== undefined);
      const to: LocalTime = {
        at: time.at ?? held.at,
        timeZone: time.timeZone ?? held.timeZone,
        later: time.later ?? held.later,
      };
      const dueAt = isMoved ? await this.dueAt(em, to) : new Date(held.dueAt);
      const usageDate = isMoved ? await this.places.require(em, user, limits, dueAt, id) : held.usageDate;
      if (planned?.document) await this.pictures.lockShown(em, user.id, planned.document);
      await changed(
        em,
        `update scheduled_sends set send = coalesce(?::jsonb, send), estimate = coalesce(?::jsonb, estimate), local_at = ?::timestamp, time_zone = ?, later = ?,
           due_at = ?, zone_data = ?, usage_date = ?::date, state = 'scheduled', reason = null, reason_message = null, version = version + 1, updated_at = now()
         where id = ? and user_id = ?`,
        [
          planned && storableJson(storedBody(planned.body)),
          planned && JSON.stringify(planned.estimate),
          to.at,
          to.timeZone,
          to.later,
          dueAt,
          ZONE_DATA,
          usageDate,
          id,
          user.id,
        ],
      );
    });
    await this.hints.soon(stored.id);
    return this.reader.one(user.id, id);
  }

  /** Cancels a scheduled send; cancelling it again has no effect. @throws 404, 409 `already_leaving` */
  async cancel(userId: string, id: string): Promise<ScheduledSendRow> {
    const count = await changed(
      this.em.fork(),
      `update scheduled_sends set state = 'cancelled', reason = null, reason_message = null, version = version + 1, updated_at = now()
       where id = ? and user_id = ? and state in ('scheduled', 'blocked')`,
      [id, userId],
    );
    const row = await this.reader.one(userId, id);
    if (count === 0 && row.state !== 'cancelled') throw alreadySent(row.historyId);
    return row;
  }

  private async earlier(
    em: EntityManager,
    userId: string,
    { key, draftId }: { key: string | null; draftId: string | null },
    requestHash: string,
  ): Promise<string | null> {
    if (draftId) {
      const [made] = await rows<{ id: string }>(
        em,
        `select id from scheduled_sends where user_id = ? and draft_id = ?`,
        [userId, draftId],
      );
      if (made) return made.id;
    }
    if (!key) return null;
    const [made] = await rows<{ id: string; hash: string }>(
      em,
      `select id, content_hash as hash from scheduled_sends where user_id = ? and idempotency_key = ?`,
      [userId, key],
    );
    if (made && made.hash !== requestHash) throw keyOfAnotherSend();
    return made?.id ?? null;
  }

  /** Takes the draft of the scheduled email, because a draft is sent or scheduled only once. @throws 404, 410, 412 */
  private async takeDraft(em: EntityManager, userId: string, { identity }: PlannedSend): Promise<void> {
    const sent = await this.records.byDraft(em, userId, identity.draftId!);
    if (sent) throw draftSent(sent.id, sent.sentAt);
    await this.drafts.take(em, userId, identity.draftId!, identity.draftVersion);
  }

  /** Keeps the account from being suspended until the transaction ends. */
  private async holdAccount(em: EntityManager, userId: string): Promise<void> {
    if (!(await this.accounts.holdInGoodStanding(em, [userId], 'wait')).has(userId)) throw suspendedThen();
  }

  private async hold(em: EntityManager, userId: string, id: string): Promise<Held> {
    const [held] = await rows<Held>(
      em,
      `select state, version, to_char(local_at, 'YYYY-MM-DD"T"HH24:MI') as at, time_zone as "timeZone", later, due_at as "dueAt",
         to_char(usage_date, 'YYYY-MM-DD') as "usageDate", history_id as "historyId"
       from scheduled_sends where id = ? and user_id = ? for update`,
      [id, userId],
    );
    if (!held) throw unknownScheduled();
    return held;
  }

  /** @throws 400 `time_past`, `time_far`, `time_skipped` */
  private async dueAt(em: EntityManager, time: LocalTime): Promise<Date> {
    const due = dueTimeOf(time);
    if (!due) throw invalid('at', 'Enter a date and a time');
    if ('skipped' in due) throw timeSkipped(time, due.skipped);
    const ahead = due.dueAt.getTime() - (await this.clock.now(em)).getTime();
    if (ahead < MINUTE_MS) throw timePast();
    if (ahead > MAX_AHEAD_MS) throw timeFar();
    return due.dueAt;
  }
}

/** Serialises the scheduling and the acceptance of one user's sends. */
async function lockSends(em: EntityManager, userId: string): Promise<void> {
  await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`send:${userId}`]);
}

const withoutDraft = (body: SendEmailDto): SendEmailDto => ({ ...body, draftId: undefined, draftVersion: undefined });

/** The part of a request body that is stored: everything except the draft that it came from. */
const storedBody = (body: SendEmailDto): object => ({
  ...withoutDraft(body),
  emailListIds: [...new Set((body.emailListIds ?? []).map((id) => id.toLowerCase()))],
});

const hashOf = (send: string, { at, timeZone, later }: LocalTime): string =>
  createHash('sha256')
    .update(JSON.stringify([send, at, timeZone, later]))
    .digest('hex');
