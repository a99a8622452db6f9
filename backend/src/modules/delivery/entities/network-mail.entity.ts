import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';

/**
 * One slot in the day's cap on network mails to an address. The primary key decides concurrent requests for the last
 * slot. Rows of recent days show how often each sender reached the address. There are no foreign keys, because deleting
 * an account must not free slots. A trigger (migration network_cap) frees the slot of a delivery that fails for good.
 */
@Entity({ tableName: 'network_mails' })
@Unique({ name: 'network_mails_delivery_unique', properties: ['deliveryId', 'day'] })
export class NetworkMail {
  /** SHA-256 of the normalised address. */
  @PrimaryKey({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  /** Day in UTC. */
  @PrimaryKey({ type: 'date' })
  @Index({ name: 'network_mails_day_index' })
  day: string;

  /** From 1 to NETWORK_DAILY_CAP. */
  @PrimaryKey({ type: 'integer' })
  slot: number;

  @Property({ type: 'uuid' })
  deliveryId: string;

  @Property({ type: 'uuid' })
  senderId: string;

  /** Hash of the sender's mailbox. Accounts of one mailbox count as one sender, even after one of them was deleted. */
  @Property({ type: 'blob', columnType: 'bytea', nullable: true })
  senderMailbox?: Uint8Array | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
