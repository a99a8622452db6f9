import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, OneToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';
import { type AudienceChoice, LEFT_OUT_REASONS, type LeftOutReason } from '../audience/audience-choice.js';

/** The choice of a send with segments, exclusions, rules or caps, and when its audience was frozen. */
@Entity({ tableName: 'send_audiences' })
export class SendAudience {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @Property({ type: 'json' })
  choices: AudienceChoice;

  /** Null: a worker still has to freeze the audience. */
  @Property({ ...timestamp, nullable: true })
  frozenAt?: Date | null;

  /** Number of rows in send_left_out. */
  @Property({ type: 'integer', default: 0 })
  leftOut: Opt<number> = 0;

  /** Why the audience could not be frozen, in words. Nobody is mailed in this case. */
  @Property({ type: 'text', nullable: true })
  failure?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/**
 * An address that a send with a frozen audience goes to. Removed once the send is rolled up into the contacts'
 * activity.
 */
@Entity({ tableName: 'send_members' })
export class SendMember {
  [PrimaryKeyProp]?: ['historyId', 'emailNorm'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @PrimaryKey({ type: 'text' })
  emailNorm: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  /** There is no foreign key: if the contact is removed, the recipient check skips the member right before sending. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'uuid', nullable: true })
  profileId?: string | null;

  /** Whether the address was reached only through the shared network. */
  @Property({ type: 'boolean' })
  masked: boolean;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text', nullable: true })
  name?: string | null;
}

/** An address that a send leaves out although it is in the send's choice and the person agreed to such mail. */
@Entity({ tableName: 'send_left_out' })
@Check({ name: 'send_left_out_reason_check', expression: oneOf('reason', LEFT_OUT_REASONS) })
@Index({ name: 'send_left_out_contact_index', properties: ['contactId'] })
export class SendLeftOut {
  [PrimaryKeyProp]?: ['historyId', 'position'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Position in address order, from 1. */
  @PrimaryKey({ type: 'integer' })
  position: number;

  /** There is no foreign key, because the record outlives the contact and the list. */
  @Property({ type: 'uuid' })
  contactId: string;

  @Property({ type: 'uuid' })
  emailListId: string;

  /** Whether the address was reached only through the shared network. Such an address is masked and not searchable. */
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
