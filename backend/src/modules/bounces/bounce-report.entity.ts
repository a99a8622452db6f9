import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../shared/database/queries/columns.js';
import { User } from '../auth/index.js';

export const MAIL_KINDS = ['delivery', 'system'] as const;
export const FAULT_CLASSES = ['hard-address', 'mailbox-soft', 'expired', 'policy', 'complaint'] as const;
export type FaultClass = (typeof FAULT_CLASSES)[number];

/**
 * A report by a mail server or a recipient against one message, during the SMTP dialogue or later. Each report counts
 * once; SuppressionPolicy derives the consequences for the address from these rows. For a refusal in the SMTP dialogue,
 * a trigger on the delivery inserts the row in the same commit that fails the delivery.
 */
@Entity({ tableName: 'bounce_reports' })
@Check({ name: 'bounce_reports_kind_check', expression: oneOf('mail_kind', MAIL_KINDS) })
@Check({ name: 'bounce_reports_class_check', expression: oneOf('class', FAULT_CLASSES) })
@Unique({ name: 'bounce_reports_unique', properties: ['mailKind', 'mailId', 'reportKey'] })
@Index({ name: 'bounce_reports_address_index', properties: ['addressHash', 'createdAt'] })
@Index({ name: 'bounce_reports_user_index', properties: ['userId', 'createdAt'] })
@Index({
  name: 'bounce_reports_open_index',
  expression: `create index "bounce_reports_open_index" on "bounce_reports" ("history_id") where applied_at is null`,
})
@Index({
  name: 'bounce_reports_old_index',
  expression: `create index "bounce_reports_old_index" on "bounce_reports" ("created_at") where class <> 'complaint'`,
})
export class BounceReport {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  mailKind: (typeof MAIL_KINDS)[number];

  /** Id of the delivery or of the system mail. */
  @Property({ type: 'uuid' })
  mailId: string;

  /**
   * Distinguishes the reports on one mail: `smtp` for a refusal in the SMTP dialogue, else the report's Message-ID or
   * its hash.
   */
  @Property({ type: 'text' })
  reportKey: string;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', nullable: true, deleteRule: 'cascade' })
  userId?: string | null;

  @Property({ type: 'uuid', nullable: true })
  historyId?: string | null;

  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  @Property({ type: 'text' })
  class: FaultClass;

  /** Enhanced status code such as 5.1.1. */
  @Property({ type: 'text', nullable: true })
  code?: string | null;

  @Property({ type: 'text', nullable: true })
  said?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  /** When SuppressionPolicy judged the report; null: not judged yet. */
  @Property({ ...timestamp, nullable: true })
  appliedAt?: Date | null;
}

/** The tables that this module owns. */
export const bouncesEntities = [BounceReport];
