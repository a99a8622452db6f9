import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/columns.js';
import { HistoryEntry } from '../../history/index.js';

/** A send whose recipients are still being laid out, chunk after chunk; the row goes when all of them stand (decisions.md D25). */
@Entity({ tableName: 'send_layouts' })
export class SendLayout {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Of the chosen lists. */
  @Property({ type: 'json' })
  listIds: string[];

  /** The last address of the chunks that stand: the next one begins after it. */
  @Property({ type: 'text', default: '' })
  lastEmail: Opt<string> = '';

  /** Recipients that stand. */
  @Property({ type: 'integer', default: 0 })
  laidOut: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
