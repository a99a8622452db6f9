import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/columns.js';
import type { AuditKind } from '../audit-kinds.js';
import { User } from './user.entity.js';

/** One line of the audit trail: who did what to whose account. It goes with the account. */
@Entity({ tableName: 'audit_events' })
@Index({ name: 'audit_events_user_index', properties: ['userId', 'at', 'id'] })
@Index({ name: 'audit_events_at_index', properties: ['at', 'id'] })
export class AuditEvent {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Whose account it is about. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Who did it; null: nobody who was signed in, or the command line. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'actor_id', nullable: true, deleteRule: 'set null' })
  @Index({ name: 'audit_events_actor_index' })
  actorId?: string | null;

  @Property({ type: 'text' })
  kind: AuditKind;

  /** Why, or what exactly, for people. */
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ type: 'text', nullable: true })
  ipAddress?: string | null;

  @Property({ type: 'text', nullable: true })
  userAgent?: string | null;

  @Property({ ...createdAtColumn })
  at: Opt<Date>;
}
