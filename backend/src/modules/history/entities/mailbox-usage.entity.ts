import { Check, Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { PrimaryKeyProp } from '@mikro-orm/core';
import type { Opt } from '@mikro-orm/core';

/**
 * Sends of all accounts of one mailbox on one day. No foreign key to an account: the count outlives it by two days, so that the
 * limit of Free does not start again with a new account. The mailbox is kept as a hash only.
 */
@Entity({ tableName: 'mailbox_usage' })
@Check({ name: 'mailbox_usage_count_check', expression: 'emails_sent >= 0' })
export class MailboxUsage {
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  mailboxHash: Uint8Array;

  @PrimaryKey({ type: 'date' })
  date: string;

  /** The zone in which this day was opened. */
  @Property({ type: 'text', default: 'UTC' })
  timeZone: Opt<string> = 'UTC';

  @Property({ type: 'integer', default: 0 })
  emailsSent: Opt<number> = 0;

  [PrimaryKeyProp]?: ['mailboxHash', 'date'];
}
