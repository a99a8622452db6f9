import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/queries/columns.js';

/** State of a rate limiter (see rate-limit.ts). The row is locked while messages are reserved. */
@Entity({ tableName: 'provider_rates' })
@Index({ name: 'provider_rates_used_index', properties: ['usedAt'] })
@Index({
  name: 'provider_rates_cut_index',
  expression:
    'create index "provider_rates_cut_index" on "provider_rates" ("account", "cut_at") where cut_at is not null',
})
export class ProviderRate {
  [PrimaryKeyProp]?: ['account', 'provider'];

  /** Id of the mail account; '*': all accounts together. */
  @PrimaryKey({ type: 'text' })
  account: string;

  /** A large provider's name, else a recipient domain; '*': all mail of the account. */
  @PrimaryKey({ type: 'text' })
  provider: string;

  /** Next free send time. */
  @Property({ ...timestamp, nullable: true })
  nextAt?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  usedAt: Opt<Date>;

  /** When the rate was last cut. A pause counts as a cut. */
  @Property({ ...timestamp, nullable: true })
  cutAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  pausedUntil?: Date | null;

  /** Learned rate right after the last cut, in messages per second; null: no learned rate. */
  @Property({ type: 'double', nullable: true })
  base?: number | null;

  @Property({ type: 'double', nullable: true })
  ceiling?: number | null;

  @Property({ type: 'double', default: 0 })
  goodSeconds: Opt<number> = 0;

  /** Share of the last seconds that granted send times covered; 1 at full use. */
  @Property({ type: 'double', default: 0 })
  usedShare: Opt<number> = 0;

  /** The provider's reply that caused the last cut. */
  @Property({ type: 'text', nullable: true })
  lastAnswer?: string | null;
}

/** Messages that a provider accepted and refused in one minute. */
@Entity({ tableName: 'provider_minutes' })
@Index({ name: 'provider_minutes_minute_index', properties: ['minute'] })
export class ProviderMinute {
  [PrimaryKeyProp]?: ['account', 'provider', 'minute'];

  @PrimaryKey({ type: 'text' })
  account: string;

  @PrimaryKey({ type: 'text' })
  provider: string;

  @PrimaryKey({ ...timestamp })
  minute: Date;

  @Property({ type: 'integer', default: 0 })
  accepted: Opt<number> = 0;

  /** Replies that asked for a lower rate. */
  @Property({ type: 'integer', default: 0 })
  refused: Opt<number> = 0;
}
