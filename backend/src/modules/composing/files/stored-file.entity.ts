import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';

/** Kinds of uploaded files. */
/* `document` stands for every file that is not a picture; the API and the table have that word. */
export const FILE_KINDS = ['image', 'document'] as const;
export type FileKind = (typeof FILE_KINDS)[number];
/** Types of pictures: those that all mail programs show. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg'] as const;
export type PictureType = (typeof PICTURE_TYPES)[number];
/** Types of files that go with emails, with the extensions of their names. */
export const FILE_TYPES = {
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
  'application/vnd.oasis.opendocument.text': 'odt',
  'text/plain': 'txt',
  'application/msword': 'doc',
  'application/rtf': 'rtf',
} as const;
export type FileType = keyof typeof FILE_TYPES;
/** pending: waits for the virus scanner; unscanned: no scanner was configured when the file was uploaded. */
export const SCAN_STATES = ['pending', 'clean', 'infected', 'unscanned'] as const;
export type ScanState = (typeof SCAN_STATES)[number];

/**
 * An uploaded file; its bytes are in the file storage. The row is written before the bytes, so that bytes without a row
 * are always left-overs; `storedAt` says that the bytes are stored. Deleting a picture deletes its row. The row of any
 * other deleted file stays, without its name and bytes, while a sent email links to the file or had it attached.
 */
@Entity({ tableName: 'files' })
@Check({ name: 'files_kind_check', expression: oneOf('kind', FILE_KINDS) })
@Check({ name: 'files_measures_check', expression: `kind <> 'image' or num_nulls(width, height) = 0` })
@Check({ name: 'files_scan_check', expression: oneOf('scan', SCAN_STATES) })
@Unique({
  name: 'files_present_unique',
  expression: 'create unique index "files_present_unique" on "files" ("user_id", "sha256") where deleted_at is null',
})
@Index({
  name: 'files_unstored_index',
  expression: 'create index "files_unstored_index" on "files" ("created_at") where stored_at is null',
})
@Index({
  name: 'files_library_index',
  expression:
    'create index "files_library_index" on "files" ("user_id", "kind", "created_at", "id") where deleted_at is null',
})
@Index({
  name: 'files_scan_index',
  expression: `create index "files_scan_index" on "files" ("scanned_at") where kind = 'document' and deleted_at is null`,
})
@Index({
  name: 'files_unused_index',
  expression: `create index "files_unused_index" on "files" ("used_at") where kind = 'document'`,
})
@Index({
  name: 'files_deleted_index',
  expression: 'create index "files_deleted_index" on "files" ("deleted_at") where deleted_at is not null',
})
@Index({
  name: 'files_reported_index',
  expression: 'create index "files_reported_index" on "files" ("reported_at", "id") where reported_at is not null',
})
export class StoredFile {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'text' })
  kind: FileKind;

  /** Name as uploaded or renamed, at most 200 characters; empty once the file is deleted. */
  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  mediaType: PictureType | FileType;

  @Property({ type: 'integer' })
  byteSize: number;

  /** Hash of the stored bytes. */
  @Property({ type: 'blob', columnType: 'bytea' })
  sha256: Uint8Array;

  @Property({ type: 'text' })
  @Unique({ name: 'files_storage_key_unique' })
  storageKey: string;

  /** Part of a picture's public address, the same for all recipients; null for other files. */
  @Property({ type: 'text', nullable: true })
  @Unique({ name: 'files_public_token_unique' })
  publicToken?: string | null;

  /** Width and height of a picture, in pixels. */
  @Property({ type: 'integer', nullable: true })
  width?: number | null;

  @Property({ type: 'integer', nullable: true })
  height?: number | null;

  /** Result of the virus scan. Pictures stay unscanned, because they are decoded and encoded anew. */
  @Property({ type: 'text', default: 'unscanned' })
  scan: Opt<ScanState> = 'unscanned';

  @Property({ ...timestamp, nullable: true })
  scannedAt?: Date | null;

  /** When a file was last uploaded, sent or downloaded. Downloads update it at most once a day. */
  @Property({ ...createdAtColumn })
  usedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  deletedAt?: Date | null;

  /** Number of reports by readers, and the time of the last one. */
  @Property({ type: 'integer', default: 0 })
  reports: Opt<number> = 0;

  @Property({ ...timestamp, nullable: true })
  reportedAt?: Date | null;

  /** When an admin took the file down; it is no longer served. */
  @Property({ ...timestamp, nullable: true })
  takenDownAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  storedAt?: Date | null;
}
