import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/columns.js';
import type { AuditKind } from '../audit-kinds.js';
import { User } from './user.entity.js';

/** One line of the audit trail: who did what to whose account. After the end of an account its lines stay for their time under a pseudonym. */
@Entity({ tableName: 'audit_events' })
@Index({ name: 'audit_events_user_index', properties: ['userId', 'at', 'id'] })
@Index({ name: 'audit_events_at_index', properties: ['at', 'id'] })
@Index({ name: 'audit_events_former_user_index', expression: `create index "audit_events_former_user_index" on "audit_events" ("former_user") where former_user is not null` })
@Index({ name: 'audit_events_former_actor_index', expression: `create index "audit_events_former_actor_index" on "audit_events" ("former_actor") where former_actor is not null` })
export class AuditEvent {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Whose account it is about; null: one that was deleted. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', nullable: true, deleteRule: 'cascade' })
  userId?: string | null;

  /** Who did it; null: nobody who was signed in, the command line, or somebody whose account was deleted. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'actor_id', nullable: true, deleteRule: 'set null' })
  @Index({ name: 'audit_events_actor_index' })
  actorId?: string | null;

  /** Pseudonym of the deleted account that it is about. */
  @Property({ type: 'uuid', nullable: true })
  formerUser?: string | null;

  /** Pseudonym of the deleted account whose owner did it. */
  @Property({ type: 'uuid', nullable: true })
  formerActor?: string | null;

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
