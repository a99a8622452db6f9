import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { HistoryEntry } from '../../history/index.js';
import type { StoredPieces, StoredTag } from '../message/stored-pieces.js';

/**
 * The composed texts of a send with merge tags, a preview line or a document. A send without a row goes out with the
 * content of its history entry.
 */
@Entity({ tableName: 'send_messages' })
export class SendMessage {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Format version of the stored texts. */
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

  /** The preview line as the sender typed it. */
  @Property({ type: 'text', nullable: true })
  preheader?: string | null;

  /** The preview line, split at its merge tags. */
  @Property({ type: 'json', nullable: true })
  preheaderPieces?: StoredPieces | null;

  /** The rich body as it was written, for display and reuse. Workers never read it. */
  @Property({ type: 'json', nullable: true })
  document?: object | null;

  @Property({ type: 'json', nullable: true })
  job?: object | null;

  /** The sender's choices of logo and signature, if they differ from the defaults; for reuse. */
  @Property({ type: 'json', nullable: true })
  options?: object | null;

  /** Size of the HTML content in bytes; null if it was not rendered from a document. */
  @Property({ type: 'integer', nullable: true })
  htmlBytes?: number | null;
}
