import type { Opt } from '@mikro-orm/core';
import { Entity, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn } from '../../../shared/database/queries/columns.js';

/** Unsubscribe link of a deleted contact: links outlive contact and list. */
@Entity({ tableName: 'retired_unsubscribe_links' })
export class RetiredUnsubscribeLink {
  /** The token in mails that were already sent. */
  @PrimaryKey({ type: 'text' })
  token: string;

  @Property({ type: 'text' })
  email: string;

  @Property({ type: 'text' })
  emailNorm: string;

  @Property({ type: 'blob', columnType: 'bytea' })
  emailHash: Uint8Array;

  /** Null for the default list. */
  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  @Property({ type: 'uuid' })
  emailListId: string;

  @Property({ type: 'text' })
  listName: string;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
