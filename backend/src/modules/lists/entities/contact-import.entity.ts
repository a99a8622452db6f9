import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, uuidKey } from '../../../shared/database/queries/columns.js';
import { CONTACT_TYPES, type ContactType } from '../../../shared/enums.js';
import { User } from '../../auth/index.js';
import {
  ATTESTATION_STATES,
  type AttestationState,
  IMPORT_GOALS,
  IMPORT_STAGES,
  IMPORT_STATUSES,
  type FileKind,
  type ImportCheckpoint,
  type ImportColumn,
  type ImportCorrections,
  type ImportFailure,
  type ImportFileInfo,
  type ImportGoal,
  type ImportOptions,
  type ImportReport,
  type ImportStage,
  type ImportStatus,
  REJECT_REASONS,
  type RejectReason,
  type UndoKept,
} from './contact-import.values.js';
import { EmailList } from './email-list.entity.js';

/** A bulk import. Its file is in contact_import_chunks until it is done, so that any instance can run or resume it. */
@Entity({ tableName: 'contact_imports' })
@Check({ name: 'contact_imports_status_check', expression: oneOf('status', IMPORT_STATUSES) })
@Check({ name: 'contact_imports_stage_check', expression: oneOf('stage', IMPORT_STAGES) })
@Check({ name: 'contact_imports_goal_check', expression: oneOf('goal', IMPORT_GOALS) })
@Check({ name: 'contact_imports_type_check', expression: oneOf('subscription_type', CONTACT_TYPES) })
@Check({ name: 'contact_imports_attestation_check', expression: oneOf('attestation_state', ATTESTATION_STATES) })
@Index({
  name: 'contact_imports_old_index',
  expression: 'create index "contact_imports_old_index" on "contact_imports" ("finished_at") where attestation is null',
})
@Index({ name: 'contact_imports_list_index', properties: ['emailListId', 'createdAt'] })
@Index({
  name: 'contact_imports_open_index',
  expression: `create index "contact_imports_open_index" on "contact_imports" ("created_at") where status in ('uploading', 'queued', 'reading', 'mapping', 'checking', 'ready', 'running')`,
})
@Index({
  name: 'contact_imports_attested_index',
  expression:
    'create index "contact_imports_attested_index" on "contact_imports" ("attestation_state", "created_at") where attestation_state is not null',
})
@Index({
  name: 'contact_imports_decided_index',
  expression:
    'create index "contact_imports_decided_index" on "contact_imports" ("decided_at") where decided_at is not null and carried_out_at is null',
})
export class ContactImport {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  /** Null if people are put on no list, or none is chosen yet. */
  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', deleteRule: 'cascade', nullable: true })
  emailListId?: string | null;

  @ManyToOne(() => User, {
    mapToPk: true,
    fieldName: 'user_id',
    deleteRule: 'cascade',
    index: 'contact_imports_user_index',
  })
  userId: string;

  @Property({ type: 'text', default: 'queued' })
  status: Opt<ImportStatus> = 'queued';

  /**
   * True for a direct import, which goes into its list without further questions and rejects lines of contacts who are
   * already on the list.
   */
  @Property({ type: 'boolean', default: true })
  isDirect: Opt<boolean> = true;

  @Property({ type: 'text', nullable: true })
  stage?: ImportStage | null;

  @Property({ type: 'text', default: 'done' })
  goal: Opt<ImportGoal> = 'done';

  /** Fencing token: each claim increments it, and a worker may only write results of its own claim. */
  @Property({ type: 'integer', default: 0 })
  run: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  fileName?: string | null;

  @Property({ type: 'text', nullable: true })
  fileKind?: FileKind | null;

  @Property({ type: 'json', default: '{}' })
  fileInfo: Opt<ImportFileInfo>;

  /** Null until the file is read. */
  @Property({ type: 'json', nullable: true })
  columns?: ImportColumn[] | null;

  @Property({ type: 'json', default: '{}' })
  options: Opt<ImportOptions>;

  @Property({ type: 'json', default: '{}' })
  corrections: Opt<ImportCorrections>;

  /** Null until the check has ended. */
  @Property({ type: 'json', nullable: true })
  report?: ImportReport | null;

  /** Number of records read from the file so far, without its header. */
  @Property({ type: 'integer', default: 0 })
  lines: Opt<number> = 0;

  /** Progress of the check. Counts each line twice: when it is staged, and when it is judged. */
  @Property({ type: 'integer', default: 0 })
  checked: Opt<number> = 0;

  /** Last line of the file that is committed. */
  @Property({ type: 'integer', default: 0 })
  committedLine: Opt<number> = 0;

  /** Numbers of people who were new to the account, changed, unchanged, and removed by Undo. */
  @Property({ type: 'integer', default: 0 })
  created: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  updated: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  unchanged: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  removed: Opt<number> = 0;

  /** Number of people whom Undo took off the list and kept, because the account had known them before. */
  @Property({ type: 'integer', default: 0 })
  takenOff: Opt<number> = 0;

  /** Numbers of people whom Undo kept, by reason. */
  @Property({ type: 'json', nullable: true })
  kept?: { reason: UndoKept; count: number }[] | null;

  /** Idempotency-Key of the call that committed the import. */
  @Property({ type: 'text', nullable: true })
  commitKey?: string | null;

  @Property({ ...timestamp, nullable: true })
  committedAt?: Date | null;

  /** Time of the last change by the user or a worker: an unfinished import is dropped some days later. */
  @Property({ ...createdAtColumn })
  touchedAt: Opt<Date>;

  /** What the contacts agreed to receive; follows from the importing user's role. */
  @Property({ type: 'text' })
  subscriptionType: ContactType;

  /** csv: a header row names the columns; lines: `email` or `email, name`. */
  @Property({ type: 'text', default: 'lines' })
  format: Opt<'csv' | 'lines'> = 'lines';

  /** Number of lines committed so far; once the import is done, the number of all lines. */
  @Property({ type: 'integer', default: 0 })
  total: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  added: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  skipped: Opt<number> = 0;

  /** File size and processed bytes: the progress shown to the user. */
  @Property({ type: 'integer', default: 0 })
  bytesTotal: Opt<number> = 0;

  @Property({ type: 'integer', default: 0 })
  bytesDone: Opt<number> = 0;

  /** Progress of a running check or Undo. */
  @Property({ type: 'json', nullable: true })
  checkpoint?: ImportCheckpoint | null;

  /** Number of rejected lines that are not stored but only counted. */
  @Property({ type: 'integer', default: 0 })
  rejectsUnlisted: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  failure?: ImportFailure | null;

  @Property({ type: 'text', nullable: true })
  attestation?: string | null;

  @Property({ type: 'text', nullable: true })
  attestationState?: AttestationState | null;

  /** Time of the admin's decision. `decidedBy` is no foreign key, because the evidence outlives the admin's account. */
  @Property({ ...timestamp, nullable: true })
  decidedAt?: Date | null;

  @Property({ type: 'uuid', nullable: true })
  decidedBy?: string | null;

  /** When the decision had been applied to all contacts; null until then. */
  @Property({ ...timestamp, nullable: true })
  carriedOutAt?: Date | null;

  /** Lease of the running worker or upload, by the database's clock. */
  @Property({ ...timestamp, nullable: true })
  leaseUntil?: Date | null;

  /** Failed runs since the last committed batch; too many fail the import. */
  @Property({ type: 'integer', default: 0 })
  attempts: Opt<number> = 0;

  @Property({ type: 'text', nullable: true })
  error?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  finishedAt?: Date | null;
}

/** A chunk of an import's file; deleted when the import is done. */
@Entity({ tableName: 'contact_import_chunks' })
export class ContactImportChunk {
  @ManyToOne(() => ContactImport, { mapToPk: true, primary: true, fieldName: 'import_id', deleteRule: 'cascade' })
  importId: string;

  @PrimaryKey({ type: 'integer', autoincrement: false })
  position: number;

  @Property({ type: 'blob', columnType: 'bytea' })
  content: Uint8Array;

  [PrimaryKeyProp]?: ['importId', 'position'];
}

/** A line that was not imported. */
@Entity({ tableName: 'contact_import_rejects' })
@Check({ name: 'contact_import_rejects_reason_check', expression: oneOf('reason', REJECT_REASONS) })
export class ContactImportReject {
  @ManyToOne(() => ContactImport, { mapToPk: true, primary: true, fieldName: 'import_id', deleteRule: 'cascade' })
  importId: string;

  /** Line number in the file, from 1. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  line: number;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  reason: RejectReason;

  /** The row as it is in the file; null for imports of earlier versions. */
  @Property({ type: 'json', nullable: true })
  cells?: string[] | null;

  [PrimaryKeyProp]?: ['importId', 'line'];
}

/** Import usage of an account on its last import day (UTC), and when a worker last served it. */
@Entity({ tableName: 'import_usage' })
export class ImportUsage {
  @ManyToOne(() => User, { mapToPk: true, primary: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  @Property({ type: 'date' })
  day: string;

  /** Bytes of files received on that day. */
  @Property({ type: 'bigint', defaultRaw: '0' })
  bytes: Opt<string> = '0';

  /** Rejected lines stored on that day. */
  @Property({ type: 'integer', default: 0 })
  rejects: Opt<number> = 0;

  /** Start of the last time slice given to this account's imports. */
  @Property({ ...timestamp, nullable: true })
  servedAt?: Date | null;

  [PrimaryKeyProp]?: 'userId';
}
