import type { Opt } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, uuidKey } from '../../../shared/database/queries/columns.js';
import type { AuditKind } from '../audit/audit-kinds.js';
import { User } from './user.entity.js';

/**
 * An audit event: who did what to which account. After the account's deletion, it stays under a pseudonym until
 * retention removes it.
 */
@Entity({ tableName: 'audit_events' })
@Index({ name: 'audit_events_user_index', properties: ['userId', 'at', 'id'] })
@Index({ name: 'audit_events_at_index', properties: ['at', 'id'] })
@Index({
  name: 'audit_events_former_user_index',
  expression: `create index "audit_events_former_user_index" on "audit_events" ("former_user") where former_user is not null`,
})
@Index({
  name: 'audit_events_former_actor_index',
  expression: `create index "audit_events_former_actor_index" on "audit_events" ("former_actor") where former_actor is not null`,
})
export class AuditEvent {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Affected account; null after its deletion. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', nullable: true, deleteRule: 'cascade' })
  userId?: string | null;

  /** Acting user. Null if the command line or a mailed link caused the event, and after the user's deletion. */
  @ManyToOne(() => User, { mapToPk: true, fieldName: 'actor_id', nullable: true, deleteRule: 'set null' })
  @Index({ name: 'audit_events_actor_index' })
  actorId?: string | null;

  /** Pseudonym of the affected account, if that was deleted. */
  @Property({ type: 'uuid', nullable: true })
  formerUser?: string | null;

  /** Pseudonym of the acting account, if that was deleted. */
  @Property({ type: 'uuid', nullable: true })
  formerActor?: string | null;

  @Property({ type: 'text' })
  kind: AuditKind;

  /** Reason or details, for people. */
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ type: 'text', nullable: true })
  ipAddress?: string | null;

  @Property({ type: 'text', nullable: true })
  userAgent?: string | null;

  @Property({ ...createdAtColumn })
  at: Opt<Date>;
}
