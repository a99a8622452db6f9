import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { HistoryEntry } from '../../history/index.js';
import type { StoredPieces, StoredTag } from '../message/stored-pieces.js';

/**
 * The composed texts of a send whose message is more than plain content without tags. A send without a row goes out
 * with the content of its history entry.
 */
@Entity({ tableName: 'send_messages' })
export class SendMessage {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Format of the stored texts. */
  @Property({ type: 'smallint' })
  version: number;

  @Property({ type: 'json' })
  subject: StoredPieces;

  @Property({ type: 'json' })
  text: StoredPieces;

  /** Null: the HTML part is derived from the text. */
  @Property({ type: 'json', nullable: true })
  html?: StoredPieces | null;

  /** The tags that the texts refer to by index. */
  @Property({ type: 'json' })
  tags: StoredTag[];

  /** The preview line, as typed. */
  @Property({ type: 'text', nullable: true })
  preheader?: string | null;

  /** The preview line, split at its tags. */
  @Property({ type: 'json', nullable: true })
  preheaderPieces?: StoredPieces | null;

  /** The rich body as it was written, for display and reuse; workers never read it. */
  @Property({ type: 'json', nullable: true })
  document?: object | null;

  @Property({ type: 'json', nullable: true })
  job?: object | null;

  /** The sender's choice of logo and signature where it differs from the default; for reuse. */
  @Property({ type: 'json', nullable: true })
  options?: object | null;

  /** Size of the HTML content in bytes, where it was rendered from a document. */
  @Property({ type: 'integer', nullable: true })
  htmlBytes?: number | null;
}
