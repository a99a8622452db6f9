import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Check, Entity, PrimaryKey, Property, Unique, ManyToOne } from '@mikro-orm/decorators/legacy';
import { createdAtColumn, oneOf, timestamp, updatedAtColumn, uuidKey } from '../../shared/database/queries/columns.js';
import { ProviderMinute, ProviderRate } from './rate-limits/provider-rate.entity.js';

export const PROVIDER_STATES = ['unknown', 'ok', 'failing'] as const;
export type ProviderState = (typeof PROVIDER_STATES)[number];

/**
 * A configured SMTP account and its health. `apiKeyRef` names a secret in the configuration; it is never the secret
 * itself.
 */
@Entity({ tableName: 'email_providers' })
@Check({ name: 'email_providers_state_check', expression: oneOf('state', PROVIDER_STATES) })
@Unique({
  name: 'email_providers_one_default',
  expression: 'create unique index "email_providers_one_default" on "email_providers" ("is_default") where is_default',
})
export class EmailProvider {
  @PrimaryKey({ ...uuidKey })
  id: Opt<string>;

  @Property({ type: 'text' })
  @Unique({ name: 'email_providers_name_unique' })
  name: string;

  @Property({ type: 'text' })
  apiKeyRef: string;

  /**
   * {host, port, secure, requireTLS, user, messagesPerSecond, connections, client, …}. Host and user are set only if
   * the secret is a password rather than an SMTP URL.
   */
  @Property({ type: 'json', nullable: true })
  config?: Record<string, unknown> | null;

  @Property({ type: 'boolean', default: false })
  isDefault: Opt<boolean> = false;

  @Property({ type: 'boolean', default: true })
  isActive: Opt<boolean> = true;

  /** Health of the account, shared by all instances. */
  @Property({ type: 'text', default: 'unknown' })
  state: Opt<ProviderState> = 'unknown';

  @Property({ ...timestamp, nullable: true })
  lastOkAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  lastErrorAt?: Date | null;

  @Property({ type: 'text', nullable: true })
  lastError?: string | null;

  /** Consecutive failures; each one lengthens the pause before the account is tried again. */
  @Property({ type: 'integer', default: 0 })
  failures: Opt<number> = 0;

  /** Until this time, other accounts are preferred. */
  @Property({ ...timestamp, nullable: true })
  heldUntil?: Date | null;

  @Property({ ...createdAtColumn })
  createdAt: Opt<Date>;

  @Property({ ...updatedAtColumn })
  updatedAt: Opt<Date>;
}

/** Messages that one account sent in one hour. Counted only for accounts with a warm-up or a daily limit. */
@Entity({ tableName: 'provider_hours' })
export class ProviderHour {
  [PrimaryKeyProp]?: ['providerId', 'hour'];

  @ManyToOne(() => EmailProvider, { primary: true, mapToPk: true, fieldName: 'provider_id', deleteRule: 'cascade' })
  providerId: string;

  @PrimaryKey({ ...timestamp })
  hour: Date;

  @Property({ type: 'integer', default: 0 })
  messages: Opt<number> = 0;
}

/** The tables that this module owns. */
export const mailAccountsEntities = [EmailProvider, ProviderHour, ProviderRate, ProviderMinute];
