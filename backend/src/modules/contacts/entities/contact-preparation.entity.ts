import type { Opt } from '@mikro-orm/core';
import { Entity, Index, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** Progress of creating an account's profiles for contacts that were added before profiles existed. */
@Entity({ tableName: 'contact_preparations' })
@Index({
  name: 'contact_preparations_open_index',
  expression:
    'create index "contact_preparations_open_index" on "contact_preparations" ("owner_id") where finished_at is null',
})
export class ContactPreparation {
  @OneToOne(() => User, { primary: true, mapToPk: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @Property({ type: 'integer', default: 0 })
  done: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  total: Opt<number> = 0;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}
