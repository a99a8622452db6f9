import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from './user.entity.js';

export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/**
 * A profile picture. It is stored in the database, so that every instance can serve it. A new picture gets a new id, so
 * the content of a picture URL never changes and can be cached.
 */
@Entity({ tableName: 'user_avatars' })
@Check({ name: 'user_avatars_type_check', expression: oneOf('content_type', PICTURE_TYPES) })
@Index({
  name: 'user_avatars_unstripped_index',
  expression: `create index "user_avatars_unstripped_index" on "user_avatars" ("id") where stripped_id is distinct from id`,
})
@Check({ name: 'user_avatars_size_check', expression: 'octet_length(content) <= 524288' })
export class UserAvatar {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  @Unique({ name: 'user_avatars_user_unique' })
  userId: string;

  @Property({ type: 'text' })
  contentType: PictureType;

  @Property({ type: 'blob', columnType: 'bytea' })
  content: Uint8Array;

  /**
   * Equal to the picture's id if the content contains no metadata. Otherwise, an older version stored the content with
   * its metadata.
   */
  @Property({ type: 'uuid', nullable: true })
  strippedId?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
