import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { oneOf, timestamp } from '../../../shared/database/queries/columns.js';
import { User } from '../../auth/index.js';
import { ContactImport } from './contact-import.entity.js';
import type { ColumnTarget } from '../imports/judging/targets.js';

/** What a line of a checked import would do. */
export const VERDICTS = ['new', 'updated', 'unchanged', 'left_out'] as const;
export type Verdict = (typeof VERDICTS)[number];

/**
 * A block of records of an import's file, whatever its format. The tables of staged imports are unlogged: a crash of
 * the database empties them, and the file is then read and checked again. They have no foreign key, whose check would
 * run for each row; a trigger deletes their rows with the import.
 */
@Entity({ tableName: 'contact_import_records' })
export class ContactImportRecords {
  @PrimaryKey({ type: 'uuid' })
  importId: string;

  /** Position of the block, from 0. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  position: number;

  /** Deflated JSON of records. */
  @Property({ type: 'blob', columnType: 'bytea' })
  content: Uint8Array;

  [PrimaryKeyProp]?: ['importId', 'position'];
}

/** A staged line of an import: how the check read and judged it. */
@Entity({ tableName: 'contact_import_rows' })
@Check({ name: 'contact_import_rows_verdict_check', expression: oneOf('verdict', VERDICTS) })
@Index({
  name: 'contact_import_rows_repeat_index',
  expression: `create index "contact_import_rows_repeat_index" on "contact_import_rows" ("email_hash", ("import_id"::text), "line")`,
})
@Index({
  name: 'contact_import_rows_shown_index',
  expression: `create index "contact_import_rows_shown_index" on "contact_import_rows" ("import_id", "line") where refused is not null or marks <> '{}'`,
})
export class ContactImportRow {
  @PrimaryKey({ type: 'uuid' })
  importId: string;

  @PrimaryKey({ type: 'integer', autoincrement: false })
  line: number;

  /** The address as read from the line. */
  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text', nullable: true })
  emailNorm?: string | null;

  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  emailHash?: Uint8Array | null;

  @Property({ type: 'text', nullable: true })
  domain?: string | null;

  /**
   * Why the line is left out because of its own content: its address, or a choice of the user about the address; null
   * if it is not.
   */
  @Property({ type: 'text', nullable: true })
  refused?: string | null;

  /** Why the line is left out because of the account's data; null if it is not, and before the line is judged. */
  @Property({ type: 'text', nullable: true })
  reason?: string | null;

  @Property({ type: 'text', nullable: true })
  verdict?: Verdict | null;

  /** Marks of a line that is imported. */
  @Property({ columnType: 'text[]', type: 'array', defaultRaw: `'{}'` })
  marks: Opt<string[]>;

  /** Domain that was probably intended, if the address looks mistyped. */
  @Property({ type: 'text', nullable: true })
  suggestion?: string | null;

  /** Labels of the columns whose values did not fit. */
  @Property({ columnType: 'text[]', type: 'array', defaultRaw: `'{}'` })
  misfits: Opt<string[]>;

  /** The row as it is in the file. */
  @Property({ type: 'json' })
  cells: string[];

  /** The person's data that was read from the row. */
  @Property({ type: 'json' })
  person: Record<string, unknown>;

  [PrimaryKeyProp]?: ['importId', 'line'];
}

/** A domain of an import's addresses. */
@Entity({ tableName: 'contact_import_domains' })
export class ContactImportDomain {
  @PrimaryKey({ type: 'uuid' })
  importId: string;

  @PrimaryKey({ type: 'text' })
  domain: string;

  @Property({ type: 'integer' })
  people: number;

  @Property({ type: 'text', nullable: true })
  suggestion?: string | null;

  /** Whether DNS was asked, even if it did not answer. */
  @Property({ type: 'boolean', default: false })
  isLookedUp: Opt<boolean> = false;

  /** True if the domain is not looked up, because the import has too many other names below the registrable domain. */
  @Property({ type: 'boolean', default: false })
  isOverLimit: Opt<boolean> = false;

  [PrimaryKeyProp]?: ['importId', 'domain'];
}

/** A person who was erased before the import had ended. Lines with the address are skipped. */
@Entity({ tableName: 'contact_import_erasures' })
export class ContactImportErasure {
  @ManyToOne(() => ContactImport, { mapToPk: true, primary: true, fieldName: 'import_id', deleteRule: 'cascade' })
  importId: string;

  @PrimaryKey({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  [PrimaryKeyProp]?: ['importId', 'addressHash'];
}

/** Cached answer of DNS to the question whether a domain takes mail. */
@Entity({ tableName: 'mail_domains' })
export class MailDomain {
  @PrimaryKey({ type: 'text' })
  domain: string;

  @Property({ type: 'boolean' })
  takesMail: boolean;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  @Index({ name: 'mail_domains_age_index' })
  lookedUpAt: Opt<Date>;
}

/** Targets of the columns in the account's last file with this set of headers. */
@Entity({ tableName: 'import_mappings' })
export class ImportMapping {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'owner_id', deleteRule: 'cascade' })
  ownerId: string;

  @PrimaryKey({ type: 'text' })
  headerHash: string;

  @Property({ type: 'json' })
  mapping: Record<string, ColumnTarget>;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  usedAt: Opt<Date>;

  [PrimaryKeyProp]?: ['ownerId', 'headerHash'];
}
