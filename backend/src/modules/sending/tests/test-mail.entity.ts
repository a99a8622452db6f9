import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

export const TEST_MAIL_STATUSES = ['queued', 'sending', 'sent', 'failed'] as const;
export type TestMailStatus = (typeof TEST_MAIL_STATUSES)[number];

/**
 * Outbox of test mails, one row per address. The message is encrypted while the mail is pending and erased once it is
 * settled.
 */
@Entity({ tableName: 'test_mails' })
@Check({ name: 'test_mails_status_check', expression: oneOf('status', TEST_MAIL_STATUSES) })
@Index({
  name: 'test_mails_due_index',
  expression: `create index "test_mails_due_index" on "test_mails" ("next_attempt_at", "id") where status in ('queued', 'sending')`,
})
@Index({
  name: 'test_mails_user_index',
  expression: 'create index "test_mails_user_index" on "test_mails" ("user_id", "created_at" desc)',
})
@Index({ name: 'test_mails_address_index', properties: ['addressHash'] })
@Index({ name: 'test_mails_old_index', properties: ['createdAt'] })
export class TestMail {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  /** SHA-256 of the composition; null for test mails of versions that did not store it. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  contentHash?: Uint8Array | null;

  /** Encrypted message; null once the mail was sent or given up. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  payload?: Uint8Array | null;

  @Property({ type: 'text', default: 'queued' })
  status: Opt<TestMailStatus> = 'queued';

  /** Why the mail failed or has to wait, as text to show. */
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  nextAttemptAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  settledAt?: Date | null;
}

export const sendingEntities = [TestMail];
