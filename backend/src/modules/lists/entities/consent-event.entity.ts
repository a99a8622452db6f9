import type { Opt } from '@mikro-orm/core';
import { Check, Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, uuidKey } from '../../../shared/database/queries/columns.js';

/** Kinds of consent events. */
export const CONSENT_EVENTS = [
  'requested',
  'confirmed',
  'unconfirmed',
  'attested',
  'declined',
  'withdrawn',
  'restored',
] as const;
export type ConsentEventKind = (typeof CONSENT_EVENTS)[number];

/** Append-only consent log. It has no foreign keys, because it outlives contact and list. */
@Entity({ tableName: 'consent_events' })
@Check({ name: 'consent_events_kind_check', expression: oneOf('kind', CONSENT_EVENTS) })
@Index({ name: 'consent_events_address_index', properties: ['addressHash', 'createdAt'] })
@Index({ name: 'consent_events_owner_index', properties: ['ownerId'] })
@Index({ name: 'consent_events_list_index', properties: ['emailListId', 'createdAt'] })
export class ConsentEvent {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'blob', columnType: 'bytea' })
  addressHash: Uint8Array;

  @Property({ type: 'text', nullable: true })
  addressNorm?: string | null;

  @Property({ type: 'uuid', nullable: true })
  contactId?: string | null;

  @Property({ type: 'uuid', nullable: true })
  emailListId?: string | null;

  @Property({ type: 'uuid', nullable: true })
  ownerId?: string | null;

  @Property({ type: 'text' })
  kind: ConsentEventKind;

  /** Method: link, one-click, page, admin, import … */
  @Property({ type: 'text' })
  how: string;

  @Property({ type: 'text', nullable: true })
  wordingVersion?: string | null;

  @Property({ type: 'text', nullable: true })
  form?: string | null;

  @Property({ type: 'text', nullable: true })
  ip?: string | null;

  @Property({ type: 'text', nullable: true })
  userAgent?: string | null;

  @Property({ type: 'json', nullable: true })
  details?: Record<string, unknown> | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;
}
