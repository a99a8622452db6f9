import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, OneToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';
import { type AudienceChoice, LEFT_OUT_REASONS, type LeftOutReason } from '../audience/audience-choice.js';

/** What a send with segments, exclusions, rules or caps was to reach, and since when its audience is frozen. */
@Entity({ tableName: 'send_audiences' })
export class SendAudience {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @Property({ type: 'json' })
  choices: AudienceChoice;

  /** Null: a worker still has to freeze it. */
  @Property({ ...timestamp, nullable: true })
  frozenAt?: Date | null;

  /** Rows of send_left_out. */
  @Property({ type: 'integer', default: 0 })
  leftOut: Opt<number> = 0;

  /** Why the audience could not be frozen, in words: nobody is mailed then. */
  @Property({ type: 'text', nullable: true })
  failure?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/** An address that a send with a frozen audience is for. Removed once the activity of the contacts is counted. */
@Entity({ tableName: 'send_members' })
export class SendMember {
  [PrimaryKeyProp]?: ['historyId', 'emailNorm'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @PrimaryKey({ type: 'text' })
  emailNorm: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  /** No foreign key: a contact that is removed meanwhile is skipped by the check before it is mailed. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'uuid', nullable: true })
  profileId?: string | null;

  /** Reached only through the shared network. */
  @Property({ type: 'boolean' })
  masked: boolean;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text', nullable: true })
  name?: string | null;
}

/** An address of a send's choice that it leaves out, although the person agreed to such mail. */
@Entity({ tableName: 'send_left_out' })
@Check({ name: 'send_left_out_reason_check', expression: oneOf('reason', LEFT_OUT_REASONS) })
@Index({ name: 'send_left_out_contact_index', properties: ['contactId'] })
export class SendLeftOut {
  [PrimaryKeyProp]?: ['historyId', 'position'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Order by address, from 1. */
  @PrimaryKey({ type: 'integer' })
  position: number;

  /** No foreign key: the record outlives contact and list. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  /** Reached only through the shared network: shown masked, and not searchable. */
  @Property({ type: 'boolean' })
  masked: boolean;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  reason: LeftOutReason;

  /** The reason in words. */
  @Property({ type: 'text' })
  detail: string;
}
