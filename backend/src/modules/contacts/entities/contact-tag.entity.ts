import type { Opt } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** A tag that an account puts on profiles. Its id is a random number, so that a restored database needs no sequence. */
@Entity({ tableName: 'contact_tags' })
@Unique({
  name: 'contact_tags_name_unique',
  expression: 'create unique index "contact_tags_name_unique" on "contact_tags" ("owner_id", lower(name))',
})
export class ContactTag {
  @PrimaryKey({ type: 'integer', autoincrement: false })
  id: number;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text', nullable: true })
  colour?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
