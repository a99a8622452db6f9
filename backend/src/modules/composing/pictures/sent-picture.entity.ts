import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne } from '@mikro-orm/decorators/legacy';
import { HistoryEntry } from '../../history/index.js';
import { StoredFile } from '../files/stored-file.entity.js';

/**
 * A picture in the messages of a send. While the history entry exists, the foreign key prevents deletion of the
 * picture, even by a concurrent transaction.
 */
@Entity({ tableName: 'sent_pictures' })
export class SentPicture {
  [PrimaryKeyProp]?: ['historyId', 'fileId'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @ManyToOne(() => StoredFile, {
    primary: true,
    mapToPk: true,
    fieldName: 'file_id',
    deleteRule: 'no action',
    index: 'sent_pictures_file_index',
  })
  fileId: string;
}
