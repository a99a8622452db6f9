import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { HistoryEntry } from '../../../history/index.js';
import { type FileType, StoredFile } from '../stored-file.entity.js';

/**
 * A file that is attached to every message of a send, as it was when the send was accepted: renaming or replacing the
 * file does not change messages of a running send. The bytes stay until the send has ended. The history entry of such a
 * send has `attached` set.
 */
@Entity({ tableName: 'send_attachments' })
@Index({ name: 'send_attachments_key_index', properties: ['storageKey'] })
export class SendAttachment {
  [PrimaryKeyProp]?: ['historyId', 'position'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Position among the attachments, from 0. */
  @PrimaryKey({ type: 'smallint', autoincrement: false })
  position: number;

  @ManyToOne(() => StoredFile, {
    mapToPk: true,
    fieldName: 'file_id',
    deleteRule: 'no action',
    index: 'send_attachments_file_index',
  })
  fileId: string;

  /** Empty once the file is deleted and the send has ended. */
  @Property({ type: 'text' })
  name: string;

  @Property({ type: 'text' })
  mediaType: FileType;

  @Property({ type: 'integer' })
  byteSize: number;

  @Property({ type: 'text' })
  storageKey: string;
}
