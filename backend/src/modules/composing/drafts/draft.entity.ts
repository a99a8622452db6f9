import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/queries/columns.js';
import { SEND_TYPES, type SendType } from '../../../shared/enums.js';
import { User } from '../../auth/index.js';
import type { DraftAudience } from '../audience-choice.dto.js';
import type { DocumentJson } from '../document/document.js';
import type { ChosenFile } from '../files/messages/chosen-files.dto.js';
import type { Job } from '../requirements/job.js';

/** Choices that differ from the defaults. By default a rich text has brand and signature, a plain text has neither. */
export interface DraftOptions {
  brand?: boolean;
  signature?: boolean;
}

/**
 * A message that is being written; the same on all devices of its user. The statement that saves a draft also checks
 * the version.
 */
@Entity({ tableName: 'email_drafts' })
@Check({ name: 'email_drafts_type_check', expression: oneOf('email_type', SEND_TYPES) })
@Check({ name: 'email_drafts_body_check', expression: 'document is null or content is null' })
@Index({
  name: 'email_drafts_user_index',
  expression: 'create index "email_drafts_user_index" on "email_drafts" ("user_id", "updated_at" desc, "id" desc)',
})
@Index({ name: 'email_drafts_updated_index', properties: ['updatedAt'] })
export class Draft {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** Number of saves. A save names the version that it replaces. */
  @Property({ type: 'integer', default: 1 })
  version: Opt<number> = 1;

  @Property({ type: 'text' })
  emailType: SendType;

  /** Ids of the chosen lists in the order of their selection. A list may have been deleted since. */
  @Property({ type: 'json', default: '[]' })
  listIds: Opt<string[]>;

  /** Segments, exclusions and the company cap; null if the draft names lists only. */
  @Property({ type: 'json', nullable: true })
  audience?: DraftAudience | null;

  @Property({ type: 'text', default: '' })
  subject: Opt<string>;

  @Property({ type: 'text', default: '' })
  preheader: Opt<string>;

  @Property({ type: 'json', nullable: true })
  document?: DocumentJson | null;

  /** The message as plain text; null unless the user chose plain text. */
  @Property({ type: 'text', nullable: true })
  content?: string | null;

  /** The job that the message offers. */
  @Property({ type: 'json', nullable: true })
  job?: Job | null;

  /** The user's choices about signature and brand; null means the defaults. */
  @Property({ type: 'json', nullable: true })
  options?: DraftOptions | null;

  /** Files that go with the message. A file may have been deleted since. */
  @Property({ type: 'json', default: '[]' })
  files: Opt<ChosenFile[]>;

  /** Step of the wizard, from 1. */
  @Property({ type: 'smallint', default: 1 })
  step: Opt<number>;

  /** Browser and system of the last save, such as "Chrome, Windows". */
  @Property({ type: 'text', nullable: true })
  lastDevice?: string | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...createdAtColumn })
  updatedAt: Opt<Date>;
}
