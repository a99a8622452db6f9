import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Filter, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, updatedAtColumn, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** A named audience with an owner. The single default list has no owner. */
@Entity({ tableName: 'email_lists' })
@Filter({ name: 'notDeleted', cond: { deletedAt: null }, default: true })
@Check({ name: 'email_lists_owner_check', expression: 'is_default or owner_id is not null' })
@Index({ name: 'email_lists_owner_index', properties: ['ownerId', 'updatedAt', 'id'] })
@Unique({
  name: 'email_lists_one_default',
  expression: 'create unique index "email_lists_one_default" on "email_lists" ("is_default") where is_default',
})
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

  /** Number of Pending and Confirmed contacts, kept by statement triggers on subscriptions. */
  @Property({ type: 'integer', default: 0 })
  contactCount: Opt<number> = 0;

  /** Number of Confirmed contacts, kept by the same triggers. */
  @Property({ type: 'integer', default: 0 })
  confirmedCount: Opt<number> = 0;

  /**
   * When the owner deleted the list. From then on the list is invisible and receives no mail; a worker removes it with
   * its contacts once the deletion can no longer be undone. ORM queries leave out deleted lists automatically, SQL must
   * do so explicitly.
   */
  @Property({ ...timestamp, nullable: true })
  @Index({
    name: 'email_lists_deleted_index',
    expression: 'create index "email_lists_deleted_index" on "email_lists" ("deleted_at") where deleted_at is not null',
  })
  deletedAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
