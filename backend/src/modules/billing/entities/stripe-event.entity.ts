import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, timestamp } from '../../../shared/database/columns.js';

/** An event of Stripe's that was taken: a second delivery of it changes nothing. */
@Entity({ tableName: 'stripe_events' })
export class StripeEvent {
  @PrimaryKey({ type: 'text' })
  id: string;

  @Property({ type: 'text' })
  type: string;

  @Property({ type: 'text', nullable: true })
  customerId?: string | null;

  @Property({ ...createdAtColumn })
  receivedAt: Opt<Date>;

  @Property({ ...timestamp, nullable: true })
  processedAt?: Date | null;

  /** What came of it: synced, unknown_customer. */
  @Property({ type: 'text', nullable: true })
  outcome?: string | null;
}
