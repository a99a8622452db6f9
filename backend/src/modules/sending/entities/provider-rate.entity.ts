import { type Opt, PrimaryKeyProp } from '@mikro-orm/core';
import { Entity, Index, PrimaryKey, Property } from '@mikro-orm/decorators/legacy';
import { timestamp } from '../../../shared/database/columns.js';

/** State of a rate limiter, see throttling/rate-limit.ts; locked while places are reserved. */
@Entity({ tableName: 'provider_rates' })
@Index({ name: 'provider_rates_used_index', properties: ['usedAt'] })
export class ProviderRate {
  [PrimaryKeyProp]?: ['account', 'provider'];

  /** Id of the mail account; '*': all accounts together. */
  @PrimaryKey({ type: 'text' })
  account: string;

  /** A large provider's name, else a recipient domain; '*': all that the account sends. */
  @PrimaryKey({ type: 'text' })
  provider: string;

  /** When the next place begins. */
  @Property({ ...timestamp, nullable: true })
  nextAt?: Date | null;

  @Property({ ...timestamp, defaultRaw: 'now()' })
  usedAt: Opt<Date>;

  /** Last time it was halved. */
  @Property({ ...timestamp, nullable: true })
  cutAt?: Date | null;

  @Property({ ...timestamp, nullable: true })
  pausedUntil?: Date | null;

  /** Learned rate, messages a second; null: none. */
  @Property({ type: 'double', nullable: true })
  base?: number | null;

  @Property({ type: 'double', nullable: true })
  ceiling?: number | null;

  @Property({ type: 'double', default: 0 })
  goodSeconds: Opt<number> = 0;

  /** The provider's words at the last cut. */
  @Property({ type: 'text', nullable: true })
  lastAnswer?: string | null;
}

/** What a provider took and refused in one minute. */
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

  /** Answers that asked for less. */
  @Property({ type: 'integer', default: 0 })
  refused: Opt<number> = 0;
}
