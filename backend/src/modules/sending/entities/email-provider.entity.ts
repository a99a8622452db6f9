import type { Opt } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property, Unique } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, updatedAtColumn, uuidKey } from '../../../shared/database/columns.js';

export const PROVIDER_STATES = ['unknown', 'ok', 'failing'] as const;
export type ProviderState = (typeof PROVIDER_STATES)[number];

/** A configured SMTP account and how it fares. apiKeyRef names a secret of the configuration, never the secret itself. */
@Entity({ tableName: 'email_providers' })
@Check({ name: 'email_providers_state_check', expression: oneOf('state', PROVIDER_STATES) })
@Unique({ name: 'email_providers_one_default', expression: 'create unique index "email_providers_one_default" on "email_providers" ("is_default") where is_default' })
export class EmailProvider {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  @Unique({ name: 'email_providers_name_unique' })
  name: string;

  @Property({ type: 'text' })
  apiKeyRef: string;

  /** {host, port, secure, requireTLS, user, messagesPerSecond, connections}; host and user only where the secret is a password and no address. */
  @Property({ type: 'json', nullable: true })
  config?: Record<string, unknown> | null;

  @Property({ type: 'boolean', default: false })
  isDefault: Opt<boolean> = false;

  @Property({ type: 'boolean', default: true })
  isActive: Opt<boolean> = true;

  /** As all instances see it. */
  @Property({ type: 'text', default: 'unknown' })
  state: Opt<ProviderState> = 'unknown';

  @Property({ ...timestamp, nullable: true })
  lastOkAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  lastErrorAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  /** Failures in a row: each makes the pause before the next try longer. */
  @Property({ type: 'integer', default: 0 })
  failures: Opt<number> = 0;

  /** Until then others go first. */
  @Property({ ...timestamp, nullable: true })
  heldUntil?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}
