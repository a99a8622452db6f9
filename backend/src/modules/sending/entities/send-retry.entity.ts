import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/columns.js';
import { HistoryEntry } from '../../history/index.js';

/** A send whose failed recipients are put back into its queue, chunk after chunk; the row goes when all were looked at. */
@Entity({ tableName: 'send_retries' })
export class SendRetry {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** The last place of the chunks that were looked at: who fails again before it has had this try. */
  @Property({ type: 'integer', default: 0 })
  lastPosition: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
