import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/** A recipient domain that told us to slow down; all instances keep to it (guide/email.md §6). */
@Entity({ tableName: 'delivery_lanes' })
export class DeliveryLane {
  @PrimaryKey({ type: 'text' })
  domain: string;

  @Property({ ...timestamp })
  slowUntil: Date;

  /** When the next message may go there. */
  @Property({ ...timestamp })
  nextAt: Date;

  /** The server's words. */
  @Property({ type: 'text' })
  reason: string;
}
