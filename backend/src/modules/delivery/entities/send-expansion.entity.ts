import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, OneToOne, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * A send whose audience is being expanded chunk by chunk. The row is removed with the last chunk. See decisions.md:
 * large-send-expansion.
 */
@Entity({ tableName: 'send_layouts' })
export class SendExpansion {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Ids of the chosen lists; empty: the send has an audience of its own in send_members. */
  @Property({ type: 'json' })
  listIds: string[];

  /** Last address of the finished chunks. The next chunk starts after it. */
  @Property({ type: 'text', default: '' })
  lastEmail: Opt<string> = '';

  /** Number of recipients that have rows already. */
  @Property({ type: 'integer', default: 0 })
  laidOut: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}

/** A send whose failed recipients are being requeued chunk by chunk. The row is removed with the last chunk. */
@Entity({ tableName: 'send_retries' })
export class SendRetry {
  [PrimaryKeyProp]?: 'historyId';

  @OneToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  /** Highest position that was checked. If a row up to this position fails again, this retry does not requeue it. */
  @Property({ type: 'integer', default: 0 })
  lastPosition: Opt<number> = 0;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
