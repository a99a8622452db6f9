import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp } from '../../../shared/database/columns.js';

/** Which kind of mail a link stood in. */
export const ASK_KINDS = ['invite', 'opt-in'] as const;
export type AskKind = (typeof ASK_KINDS)[number];

/** The "never again" link of one invite or confirmation mail. It outlives contact, list, invite and accounts; once used, the mailbox is never asked again. */
@Entity({ tableName: 'referral_opt_outs' })
export class AskOptOut {
  /** Hash of the mailed token. */
  @PrimaryKey({ type: 'text' })
  token: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  @Index({ name: 'referral_opt_outs_address_index' })
  addressHash: Uint8Array;

  /** SHA-256 of the mailbox behind it; links from before it was kept have none. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  @Index({ name: 'referral_opt_outs_mailbox_index', expression: `create index "referral_opt_outs_mailbox_index" on "referral_opt_outs" ("mailbox_hash") where opted_out_at is not null` })
  mailboxHash?: Uint8Array | null;

  @Property({ type: 'text', default: 'invite' })
  kind: Opt<AskKind> = 'invite';

  @Property({ ...timestamp, nullable: true })
  optedOutAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
