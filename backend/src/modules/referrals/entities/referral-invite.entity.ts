import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';

export const INVITE_STATUSES = ['pending', 'accepted', 'expired'] as const;
export type InviteStatus = (typeof INVITE_STATUSES)[number];

/** A referral mail to one address (decisions.md D43). */
@Entity({ tableName: 'referral_invites' })
@Check({ name: 'referral_invites_status_check', expression: oneOf('status', INVITE_STATUSES) })
@Index({ name: 'referral_invites_inviter_index', properties: ['inviterUserId', 'sentAt'] })
@Index({ name: 'referral_invites_address_index', properties: ['inviteeHash', 'sentAt'] })
@Index({ name: 'referral_invites_pending_index', expression: `create index "referral_invites_pending_index" on "referral_invites" ("expires_at") where status = 'pending'` })
export class ReferralInvite {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'inviter_user_id', deleteRule: 'cascade' })
  inviterUserId: string;

  @Property({ type: 'text' })
  inviteeEmail: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  inviteeHash: Uint8Array;

  /** Hash of the mailed token. */
  @Property({ type: 'text' })
  @Unique({ name: 'referral_invites_token_unique' })
  token: string;

  @Property({ type: 'text', default: 'pending' })
  status: Opt<InviteStatus> = 'pending';

  @Property({ ...createdAtColumn })
  sentAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  acceptedAt?: Date | null;

  @Property({ ...timestamp })
  expiresAt: Date;
}
