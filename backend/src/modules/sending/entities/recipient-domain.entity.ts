import type { Opt } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/** Which large mailbox provider hosts a recipient domain, as its MX records said. */
@Entity({ tableName: 'recipient_domains' })
@Index({ name: 'recipient_domains_looked_up_index', properties: ['lookedUpAt'] })
export class RecipientDomain {
  @PrimaryKey({ type: 'text' })
  domain: string;

  /** Null: none of the large ones. */
  @Property({ type: 'text', nullable: true })
  provider?: string | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  lookedUpAt: Opt<Date>;
}
