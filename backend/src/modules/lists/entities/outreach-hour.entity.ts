import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/**
 * Mails to strangers that the accounts of one mailbox caused within one hour. A budget is what may leave in any 24 hours, so it is counted by
 * the hour: a calendar day's budget could be used up twice within minutes around midnight. Rows are needed for a day.
 */
@Entity({ tableName: 'outreach_hours' })
@Check({ name: 'outreach_hours_counts_check', expression: 'own_sent >= 0 and public_sent >= 0' })
export class OutreachHour {
  /** SHA-256 of the account's mailbox (`users.mailbox_hash`). */
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  sender: Uint8Array;

  @PrimaryKey({ ...timestamp })
  @Index({ name: 'outreach_hours_hour_index' })
  hour: Date;

  /** To people whom the owner added or invited. */
  @Property({ type: 'integer', default: 0 })
  ownSent: Opt<number> = 0;

  /** Asked for by visitors of the owner's pages. */
  @Property({ type: 'integer', default: 0 })
  publicSent: Opt<number> = 0;

  [PrimaryKeyProp]?: ['sender', 'hour'];
}
