import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';
import { User } from '../../auth/index.js';

/** A named audience with an owner; the one default list is the shared network and has none (decisions.md D21). */
@Entity({ tableName: 'email_lists' })
@Check({ name: 'email_lists_owner_check', expression: 'is_default or owner_id is not null' })
@Index({ name: 'email_lists_owner_index', properties: ['ownerId', 'updatedAt', 'id'] })
@Unique({ name: 'email_lists_one_default', expression: 'create unique index "email_lists_one_default" on "email_lists" ("is_default") where is_default' })
export class EmailList {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  @Unique({ name: 'email_lists_slug_unique' })
  slug: string;

  @Property({ type: 'text', nullable: true })
  description?: string | null;

  @Property({ type: 'text', nullable: true })
  agencyName?: string | null;

  @Property({ type: 'text', nullable: true })
  agencyLogo?: string | null;

  @Property({ type: 'text', nullable: true })
  ownerName?: string | null;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', nullable: true, deleteRule: 'cascade' })
  ownerId?: string | null;

  @Property({ type: 'boolean', default: false })
  isDefault: Opt<boolean> = false;

  /** Pending and Confirmed contacts (decisions.md D36), kept by statement triggers on subscriptions. */
  @Property({ type: 'integer', default: 0 })
  contactCount: Opt<number> = 0;

  /** Confirmed among them, kept likewise. */
  @Property({ type: 'integer', default: 0 })
  confirmedCount: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
