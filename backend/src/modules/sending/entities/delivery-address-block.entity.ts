import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, ManyToOne, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/columns.js';
import { HistoryEntry } from '../../history/index.js';

/**
 * Addresses of up to a thousand neighbouring deliveries of a large send, written with them: a search reads a thousand times fewer
 * rows, and the deliveries, which change with every attempt, carry no text index. Sends that were accepted whole have none.
 */
@Entity({ tableName: 'delivery_address_blocks' })
@Index({ name: 'delivery_address_blocks_created_index', properties: ['createdAt'] })
export class DeliveryAddressBlock {
  [PrimaryKeyProp]?: ['historyId', 'firstPosition'];

  @ManyToOne(() => HistoryEntry, { primary: true, mapToPk: true, fieldName: 'history_id', deleteRule: 'cascade' })
  historyId: string;

  @PrimaryKey({ type: 'integer' })
  firstPosition: number;

  @Property({ type: 'integer' })
  count: number;

  /** A line for each position, in lower case; empty where the address is masked. */
  @Property({ type: 'text' })
  addresses: string;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
