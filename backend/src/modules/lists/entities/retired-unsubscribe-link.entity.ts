import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/columns.js';

/** An unsubscribe link whose contact is gone: tokens outlive contact and list (decisions.md D23). */
@Entity({ tableName: 'retired_unsubscribe_links' })
export class RetiredUnsubscribeLink {
  /** The token, as it stands in mails already sent. */
  @PrimaryKey({ type: 'text' })
  token: string;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  emailNorm: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  /** Null: the network. */
  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'text' })
  listName: string;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
