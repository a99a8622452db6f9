import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from './user.entity.js';

/** A signed-in device, with the hashes of its rotating refresh tokens (see decisions.md: session-cookies). */
@Entity({ tableName: 'auth_sessions' })
export class AuthSession {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  @Index({ name: 'auth_sessions_user_index' })
  userId: string;

  /** Hash of the current refresh token. */
  @Property({ type: 'text' })
  @Unique({ name: 'auth_sessions_token_unique' })
  sessionToken: string;

  /** Hash of the token that was exchanged for the current one. It stays valid until a successor is used. */
  @Property({ type: 'text', nullable: true })
  @Index({ name: 'auth_sessions_previous_index' })
  previousToken?: string | null;

  /** Hashes of earlier successors of the previous token that have not been used, newest first. */
  @Property({ type: 'json', defaultRaw: `'[]'` })
  pendingTokens: Opt<string[]> = [];

  @Property({ ...timestamp, nullable: true })
  rotatedAt?: Date | null;

  @Property({ ...timestamp })
  @Index({ name: 'auth_sessions_expires_index' })
  expiresAt: Date;

  @Property({ type: 'text', nullable: true })
  userAgent?: string | null;

  @Property({ type: 'text', nullable: true })
  ipAddress?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  lastSeenAt: Opt<Date>;
}
