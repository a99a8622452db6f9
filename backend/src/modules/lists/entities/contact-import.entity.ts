import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/columns.js';
import { CONTACT_TYPES, type ContactType } from '../../../shared/words/contact-type.js';
import { User } from '../../auth/index.js';
import type { FilePosition } from '../import-file.js';
import { EmailList } from './email-list.entity.js';

/** uploading: its file is still coming in; people see queued. */
export const IMPORT_STATUSES = ['uploading', 'queued', 'running', 'done', 'failed'] as const;
export type ImportStatus = (typeof IMPORT_STATUSES)[number];

/** Where an attested import stands (decisions.md D46); null without an attestation. */
export const ATTESTATION_STATES = ['waiting', 'confirmed', 'declined'] as const;
export type AttestationState = (typeof ATTESTATION_STATES)[number];

/** Why an import was given up: too few of its first lines hold an address, or every run ended in an error. */
export type ImportFailure = 'no_addresses' | 'fault';

/** Where an import goes on: after `records` records, in a file whose header row, where it has one, is this. */
export interface ImportCheckpoint extends FilePosition {
  records: number;
  header: string[] | null;
}

/** A bulk import: its file lies in contact_import_chunks until it is done, so any instance can run or resume it. */
@Entity({ tableName: 'contact_imports' })
@Check({ name: 'contact_imports_status_check', expression: oneOf('status', IMPORT_STATUSES) })
@Check({ name: 'contact_imports_type_check', expression: oneOf('subscription_type', CONTACT_TYPES) })
@Check({ name: 'contact_imports_attestation_check', expression: oneOf('attestation_state', ATTESTATION_STATES) })
@Index({ name: 'contact_imports_old_index', expression: 'create index "contact_imports_old_index" on "contact_imports" ("finished_at") where attestation is null' })
@Index({ name: 'contact_imports_list_index', properties: ['emailListId', 'createdAt'] })
@Index({ name: 'contact_imports_open_index', expression: `create index "contact_imports_open_index" on "contact_imports" ("created_at") where status in ('uploading', 'queued', 'running')` })
@Index({ name: 'contact_imports_attested_index', expression: 'create index "contact_imports_attested_index" on "contact_imports" ("attestation_state", "created_at") where attestation_state is not null' })
@Index({ name: 'contact_imports_decided_index', expression: 'create index "contact_imports_decided_index" on "contact_imports" ("decided_at") where decided_at is not null and carried_out_at is null' })
export class ContactImport {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', deleteRule: 'cascade' })
  emailListId: string;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade', index: 'contact_imports_user_index' })
  userId: string;

  @Property({ type: 'text', default: 'queued' })
  status: Opt<ImportStatus> = 'queued';

  /** What the contacts agreed to receive: by the role of who imports them (decisions.md D20). */
  @Property({ type: 'text' })
  subscriptionType: ContactType;

  /** csv: header row names the columns; lines: `email` or `email, name`. */
  @Property({ type: 'text', default: 'lines' })
  format: Opt<'csv' | 'lines'> = 'lines';

  /** Lines of the file read so far (all of them once done). */
  @Property({ type: 'integer', default: 0 })
  total: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  added: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  skipped: Opt<number> = 0;

  /** Bytes of the file, and how many of them are settled: the progress a person sees. */
  @Property({ type: 'integer', default: 0 })
  bytesTotal: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  bytesDone: Opt<number> = 0;

  /** Null: at the beginning, or at `total` in an import that a version without checkpoints began. */
  @Property({ type: 'json', nullable: true })
  checkpoint?: ImportCheckpoint | null;

  /** Lines that did not go in and are counted only. */
  @Property({ type: 'integer', default: 0 })
  rejectsUnlisted: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  failure?: ImportFailure | null;

  @Property({ type: 'text', nullable: true })
  attestation?: string | null;

  @Property({ type: 'text', nullable: true })
  attestationState?: AttestationState | null;

  /** When an admin decided about the attestation, and who. No foreign key: the evidence outlives the account. */
  @Property({ ...timestamp, nullable: true })
  decidedAt?: Date | null;

  @Property({ type: 'uuid', nullable: true })
  decidedBy?: string | null;

  /** When all of its contacts had been dealt with as decided. */
  @Property({ ...timestamp, nullable: true })
  carriedOutAt?: Date | null;

  /** While a worker runs it, or its file comes in; DB clock. */
  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  /** Runs since the last batch that went in; a file that stops every run is given up. */
  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  error?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}
