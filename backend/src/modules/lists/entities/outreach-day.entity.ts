import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

const count = { type: 'integer', default: 0 } as const;

/**
 * Mails to strangers that the accounts of one mailbox caused on one UTC day, by who asked for them, and what became of them: one row for
 * all paths and all accounts. It names a mailbox by its hash only, and outlives account and list, until senders are no longer judged
 * by its day.
 */
@Entity({ tableName: 'outreach_days' })
@Check({ name: 'outreach_days_counts_check', expression: 'own_sent >= 0 and public_sent >= 0 and invites_sent >= 0' })
export class OutreachDay {
  /** SHA-256 of the account's mailbox (`users.mailbox_hash`). */
  @PrimaryKey({ type: 'blob', columnType: 'bytea', autoincrement: false })
  sender: Uint8Array;

  @PrimaryKey({ type: 'date' })
  @Index({ name: 'outreach_days_day_index' })
  day: string;

  /** Confirmation mails to people whom the owner added. */
  @Property({ ...count })
  ownSent: Opt<number> = 0;

  /** Confirmation mails that visitors of the owner's pages asked for. */
  @Property({ ...count })
  publicSent: Opt<number> = 0;

  @Property({ ...count })
  invitesSent: Opt<number> = 0;

  /** Of the day's mails, those confirmed since. */
  @Property({ ...count })
  ownConfirmed: Opt<number> = 0;

  @Property({ ...count })
  publicConfirmed: Opt<number> = 0;

  /** Of the day's mails, those that bounced or were refused. */
  @Property({ ...count })
  ownBounced: Opt<number> = 0;

  @Property({ ...count })
  publicBounced: Opt<number> = 0;

  [PrimaryKeyProp]?: ['sender', 'day'];
}
