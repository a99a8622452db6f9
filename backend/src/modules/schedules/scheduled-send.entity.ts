import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../shared/database/queries/columns.js';
import { User } from '../auth/index.js';
import { HistoryEntry } from '../history/index.js';

/** Stored states. Readers see a row in state `scheduled` as `leaving` once it is due. */
export const SCHEDULED_STATES = ['scheduled', 'leaving', 'blocked', 'sent', 'cancelled'] as const;
export type ScheduledState = (typeof SCHEDULED_STATES)[number];

/** An email that leaves once, at a set local time. Changed by guarded statements only. */
@Entity({ tableName: 'scheduled_sends' })
@Check({ name: 'scheduled_sends_state_check', expression: oneOf('state', SCHEDULED_STATES) })
@Index({
  name: 'scheduled_sends_due_index',
  expression: `create index "scheduled_sends_due_index" on "scheduled_sends" ("due_at") where state = 'scheduled'`,
})
@Index({ name: 'scheduled_sends_user_index', properties: ['userId', 'state', 'dueAt'] })
@Index({
  name: 'scheduled_sends_ended_index',
  expression: `create index "scheduled_sends_ended_index" on "scheduled_sends" ("updated_at") where state in ('sent', 'cancelled')`,
})
@Unique({
  name: 'scheduled_sends_key_unique',
  expression: `create unique index "scheduled_sends_key_unique" on "scheduled_sends" ("user_id", "idempotency_key") where idempotency_key is not null`,
})
@Unique({
  name: 'scheduled_sends_draft_unique',
  expression: `create unique index "scheduled_sends_draft_unique" on "scheduled_sends" ("draft_id") where draft_id is not null`,
})
export class ScheduledSend {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The complete validated body of send-email, without its draft. */
  @Property({ type: 'json' })
  send: object;

  /** SHA-256 of the request that created the scheduled send: the email and its time. */
  @Property({ type: 'text' })
  contentHash: string;

  /** The local time that the user chose; `due_at` is computed from it. */
  @Property({ columnType: 'timestamp(0)', type: 'text' })
  localAt: string;

  @Property({ type: 'text' })
  timeZone: string;

  /** True for the second occurrence of a local time that occurs twice, when clocks go back. */
  @Property({ type: 'boolean', default: false })
  later: Opt<boolean> = false;

  @Property({ ...timestamp })
  dueAt: Date;

  /** Version of the time zone data with which `due_at` was computed. */
  @Property({ type: 'text' })
  zoneData: string;

  /** The user's day on which the email is due; once the email is sent, the day whose limit counted it. */
  @Property({ type: 'date' })
  usageDate: string;

  @Property({ type: 'text', default: 'scheduled' })
  state: Opt<ScheduledState>;

  /**
   * Why the email is blocked: the error code with which send-email refused it, or missed, no_lists, suspended. In state
   * scheduled: file_not_ready while it is due and waits for its files, else null.
   */
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  /** Error message with which send-email refused the email. */
  @Property({ type: 'text', nullable: true })
  reasonMessage?: string | null;

  /** Increases with each change. A change has to name the version that it is based on. */
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;

  @Property({ type: 'text', nullable: true })
  idempotencyKey?: string | null;

  /** Id of the draft that the email was made from. The draft no longer exists. */
  @Property({ type: 'uuid', nullable: true })
  draftId?: string | null;

  /** Estimated recipients, as of the last change. */
  @Property({ type: 'json' })
  estimate: object;

  @ManyToOne(() => HistoryEntry, {
    mapToPk: true,
    fieldName: 'history_id',
    nullable: true,
    deleteRule: 'set null',
    index: 'scheduled_sends_history_index',
  })
  historyId?: string | null;

  /** Unused. A migration must not drop a column that the previous version still selects. */
  @Property({ type: 'uuid', nullable: true })
  runId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}

export const schedulesEntities = [ScheduledSend];
