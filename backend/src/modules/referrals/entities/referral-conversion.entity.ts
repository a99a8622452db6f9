import type { Opt } from '@mikro-orm/core';
import { Check, Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';
import { ReferralInvite } from './referral-invite.entity.js';

export const CONVERSION_TYPES = ['signup', 'paid'] as const;
export type ConversionType = (typeof CONVERSION_TYPES)[number];

/** A sign-up or first payment that came of a referral: once per referred account and type. */
@Entity({ tableName: 'referral_conversions' })
@Check({ name: 'referral_conversions_type_check', expression: oneOf('conversion_type', CONVERSION_TYPES) })
@Check({ name: 'referral_conversions_self_check', expression: 'referrer_user_id <> referred_user_id' })
@Unique({ name: 'referral_conversions_once', properties: ['referredUserId', 'conversionType'] })
export class ReferralConversion {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'referrer_user_id', deleteRule: 'cascade', index: 'referral_conversions_referrer_index' })
  referrerUserId: string;

  @ManyToOne(() => ReferralInvite, { mapToPk: true, fieldName: 'invite_id', nullable: true, deleteRule: 'set null' })
  inviteId?: string | null;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'referred_user_id', deleteRule: 'cascade' })
  referredUserId: string;

  @Property({ type: 'text' })
  conversionType: ConversionType;

  @Property({ ...createdAtColumn })
  convertedAt: Opt<Date>;

  @Property({ type: 'json', nullable: true })
  metadata?: Record<string, unknown> | null;
}
