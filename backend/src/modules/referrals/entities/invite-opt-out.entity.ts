import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import type { Opt } from '@mikro-orm/core';
import { createdAtColumn, timestamp } from '../../../shared/database/columns.js';

/** The opt-out link of one invite mail. It outlives the invite and both accounts; used once, the address is never invited again. */
@Entity({ tableName: 'referral_opt_outs' })
export class InviteOptOut {
  /** Hash of the mailed token. */
  @PrimaryKey({ type: 'text' })
  token: string;

  /** SHA-256 of the normalised address. */
  @Property({ type: 'blob', columnType: 'bytea' })
  @Index({ name: 'referral_opt_outs_address_index' })
  addressHash: Uint8Array;

  @Property({ ...timestamp, nullable: true })
  optedOutAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
