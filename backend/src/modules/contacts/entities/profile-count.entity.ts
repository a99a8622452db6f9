import { PrimaryKeyProp, type Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';

/**
 * Number of an account's profiles, kept by statement triggers on contact_profiles. Each database connection counts in
 * its own row, so that connections never wait for each other. The total is the sum of the rows; a single row may be
 * negative. There is no foreign key, because its check would lock the account's row during every import; a trigger
 * deletes the rows with the account.
 */
@Entity({ tableName: 'profile_counts' })
@Index({
  name: 'profile_counts_apart_index',
  expression: 'create index "profile_counts_apart_index" on "profile_counts" ("owner_id") where backend <> 0',
})
export class ProfileCount {
  @PrimaryKey({ type: 'uuid' })
  ownerId: string;

  /** Backend process id of the connection; 0 for rows summed up by the compactor. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  backend: number;

  @Property({ type: 'integer', default: 0 })
  profiles: Opt<number> = 0;

  [PrimaryKeyProp]?: ['ownerId', 'backend'];
}
