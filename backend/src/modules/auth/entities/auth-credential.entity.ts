import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, updatedAtColumn, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from './user.entity.js';

/** Password hash and verification state of a user. Tokens are stored as hashes. */
@Entity({ tableName: 'auth_credentials' })
export class AuthCredential {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  @Unique({ name: 'auth_credentials_user_unique' })
  userId: string;

  /** Normalised address; the same as in the user's row. */
  @Property({ type: 'text' })
  @Unique({ name: 'auth_credentials_email_unique' })
  email: string;

  @Property({ type: 'text' })
  passwordHash: string;

  @Property({ type: 'boolean', default: false })
  isVerified: Opt<boolean> = false;

  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'auth_credentials_verification_unique' })
  verificationToken?: string | null;

  @Property({ ...timestamp, nullable: true })
  verificationTokenExpires?: Date | null;

  /**
   * When the address was verified, by the mailed token or by an admin. Using the token after that only confirms the
   * verification; it does not sign in.
   */
  @Property({ ...timestamp, nullable: true })
  verifiedAt?: Date | null;

  /** Hash of the token in the "This wasn't me" link, which removes the account. */
  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'auth_credentials_disown_unique' })
  disownToken?: string | null;

  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'auth_credentials_reset_unique' })
  resetToken?: string | null;

  @Property({ ...timestamp, nullable: true })
  @Index({
    name: 'auth_credentials_reset_expires_index',
    expression:
      'create index "auth_credentials_reset_expires_index" on "auth_credentials" ("reset_token_expires") where reset_token_expires is not null',
  })
  resetTokenExpires?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
