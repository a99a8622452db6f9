import { PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { EmailList } from '../../lists/index.js';
import { HistoryEntry } from './history-entry.entity.js';

/** A list that a send went to, with its name as it was (decisions.md D24). */
@Entity({ tableName: 'email_history_lists' })
export class HistoryList {
  @ManyToOne(() => HistoryEntry, { mapToPk: true, primary: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Order in which it was chosen, from 0. */
  @PrimaryKey({ type: 'integer', autoincrement: false })
  position: number;

  @ManyToOne(() => EmailList, { mapToPk: true, fieldName: 'email_list_id', nullable: true, deleteRule: 'set null', index: 'email_history_lists_list_index' })
  emailListId?: string | null;

  @Property({ type: 'text' })
  name: string;

  [PrimaryKeyProp]?: ['historyId', 'position'];
}
