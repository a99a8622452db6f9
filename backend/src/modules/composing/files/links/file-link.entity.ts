import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, ManyToOne, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp, uuidKey } from '../../../../shared/database/queries/columns.js';
import { User } from '../../../auth/index.js';
import { HistoryEntry } from '../../../history/index.js';
import { StoredFile } from '../stored-file.entity.js';

/** Lifetimes of a link in days, from which the sender chooses. */
export const LINK_DAYS = [7, 30, 90] as const;
export type LinkDays = (typeof LINK_DAYS)[number];
export const DEFAULT_LINK_DAYS: LinkDays = 30;

/**
 * The link to a file in the messages of one send. All recipients have the same link, so that a download does not reveal
 * which recipient made it. The token is stored in plain text, because every message of the send contains it.
 */
@Entity({ tableName: 'file_links' })
@Check({ name: 'file_links_days_check', expression: `expires_in_days in (${LINK_DAYS.join(', ')})` })
@Unique({ name: 'file_links_send_unique', properties: ['fileId', 'historyId'] })
@Index({ name: 'file_links_history_index', properties: ['historyId'] })
@Index({
  name: 'file_links_tests_index',
  expression: 'create index "file_links_tests_index" on "file_links" ("expires_at") where history_id is null',
})
@Index({ name: 'file_links_user_index', properties: ['userId'] })
export class FileLink {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @ManyToOne(() => StoredFile, { mapToPk: true, fieldName: 'file_id', deleteRule: 'cascade' })
  fileId: string;

  @ManyToOne(() => User, { mapToPk: true, fieldName: 'user_id', deleteRule: 'cascade' })
  userId: string;

  /** The send; null for a test mail. */
  @ManyToOne(() => HistoryEntry, { mapToPk: true, fieldName: 'history_id', nullable: true, deleteRule: 'cascade' })
  historyId?: string | null;

  @Property({ type: 'text' })
  @Unique({ name: 'file_links_token_unique' })
  token: string;

  /** Lifetime of the link in days, as the sender chose it. */
  @Property({ type: 'smallint' })
  expiresInDays: LinkDays;

  @Property({ ...timestamp })
  expiresAt: Date;

  @Property({ ...timestamp, nullable: true })
  revokedAt?: Date | null;

  /** Downloads by people. */
  @Property({ type: 'integer', default: 0 })
  downloads: Opt<number> = 0;

  /** Downloads by mail scanners and other programs, and all downloads right after the send. */
  @Property({ type: 'integer', default: 0 })
  automated: Opt<number> = 0;

  @Property({ ...timestamp, nullable: true })
  lastDownloadAt?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
