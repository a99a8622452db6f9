import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * A send whose audience is still being expanded, chunk by chunk. The row is removed with the last chunk. See decisions.md:
 * large-send-expansion.
 */
@Entity({ tableName: 'send_layouts' })
export class SendExpansion {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Ids of the chosen lists. */
  @Property({ type: 'json' })
  listIds: string[];

  /** Last address of the finished chunks; the next chunk starts after it. */
  @Property({ type: 'text', default: '' })
  lastEmail: Opt<string> = '';

  /** Number of recipients with rows. */
  @Property({ type: 'integer', default: 0 })
  laidOut: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/** A send whose failed recipients are requeued, chunk by chunk. The row is removed with the last chunk. */
@Entity({ tableName: 'send_retries' })
export class SendRetry {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Highest position already requeued; a row that fails again below it is not retried twice. */
  @Property({ type: 'integer', default: 0 })
  lastPosition: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
