import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** Kinds of uploaded files. */
export const FILE_KINDS = ['image'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
/** Types of pictures that every mail program shows. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];

/**
 * An uploaded file; its bytes lie in the file storage. The row comes first and the bytes second, so that no bytes are
 * ever without a row for long: `storedAt` says that they are there.
 */
@Entity({ tableName: 'files' })
@Check({ name: 'files_kind_check', expression: oneOf('kind', FILE_KINDS) })
@Unique({
  name: 'files_content_unique',
  properties: ['userId', 'sha256'],
})
@Index({
  name: 'files_unstored_index',
  expression: 'create index "files_unstored_index" on "files" ("created_at") where stored_at is null',
})
export class StoredFile {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'text' })
  kind: FileKind;

  /** Name of the file as it was uploaded, at most 200 characters. */
  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  mediaType: PictureType;

  @Property({ type: 'integer' })
  byteSize: number;

  /** Of the bytes as they are served. */
  @Property({ type: 'blob', columnType: 'bytea' })
  sha256: Uint8Array;

  @Property({ type: 'text' })
  @Unique({ name: 'files_storage_key_unique' })
  storageKey: string;

  /** Part of the address in mails; only pictures have one. The same for every recipient. */
  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'files_public_token_unique' })
  publicToken?: string | null;

  /** Measures of a picture, in pixels. */
  @Property({ type: 'integer' })
  width: number;

  @Property({ type: 'integer' })
  height: number;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  storedAt?: Date | null;
}
