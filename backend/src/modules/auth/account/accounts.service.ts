import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/queries/rows.js';
import type { RequestUser } from '../../../shared/http/requests/request-user.js';
import { UsageCounter } from '../../../shared/usage/usage-counter.js';
import type { CurrentUserDto } from './current-user.dto.js';
import { AuthCredential } from '../entities/auth-credential.entity.js';
import { User } from '../entities/user.entity.js';
import { entitlements, type Entitlements, freeMonths } from '../plan/entitlements.js';
import { notSignedIn } from '../auth.errors.js';

/**
 * SQL condition: the account is suspended.
 * @param id placeholder or column with the account's id
 */
export const suspendedSql = (id: string): string =>
  `exists (select 1 from users where id = ${id} and suspended_at is not null)`;

/**
 * SQL expression: hash of the account's mailbox; null for a closed account.
 * @param id placeholder or column with the account's id
 */
export const mailboxHashSql = (id: string): string => `(select mailbox_hash from users where id = ${id})`;

/** An account that may send mail. */
export interface SendingAccount {
  id: string;
  email: string;
  emailNorm: string;
  /** First and last name. */
  name: string;
  agencyName: string | null;
  plan: string;
  createdAt: Date;
}

/** Reads accounts for other modules. */
@Injectable()
export class Accounts {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly modules: ModuleRef,
  ) {}

  /** @param em the caller's entity manager, for callers in a transaction: a fork would need a second connection */
  async byId(id: string, em = this.em.fork()): Promise<User | null> {
    return em.findOne(User, { id });
  }

  async byIds(ids: string[]): Promise<User[]> {
    return this.em.fork().find(User, { id: { $in: ids } });
  }

  async isVerified(id: string): Promise<boolean> {
    return (await this.em.fork().count(AuthCredential, { userId: id, isVerified: true })) > 0;
  }

  /** Returns the ids of those accounts that may send mail: they are verified, not suspended and not closed. */
  async inGoodStanding(ids: string[]): Promise<Set<string>> {
    const found = await rows<{ id: string }>(
      this.em.fork(),
      `select u.id from users u join auth_credentials c on c.user_id = u.id
       where u.id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and c.is_verified and u.suspended_at is null and u.deleted_at is null`,
      [JSON.stringify(ids)],
    );
    return new Set(found.map(({ id }) => id));
  }

  /**
   * Like inGoodStanding, but also blocks suspension and deletion of these accounts until the caller's transaction ends.
   * @param busy what to do with an account that another transaction is changing: `wait` for the transaction, or `skip`
   * the account, which then counts as not in good standing. Skipping avoids deadlocks when many accounts are locked.
   */
  async holdInGoodStanding(em: EntityManager, ids: readonly string[], busy: 'wait' | 'skip'): Promise<Set<string>> {
    if (ids.length === 0) return new Set();
    const found = await rows<{ id: string }>(
      em,
      `select u.id from users u
       where u.id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and u.suspended_at is null and u.deleted_at is null
         and exists (select 1 from auth_credentials c where c.user_id = u.id and c.is_verified)
       order by u.id for share of u ${busy === 'skip' ? 'skip locked' : ''}`,
      [JSON.stringify(ids)],
    );
    return new Set(found.map(({ id }) => id));
  }

  /** Returns those accounts that may send mail, with the details that their messages show. */
  async sendersOf(ids: string[]): Promise<SendingAccount[]> {
    if (ids.length === 0) return [];
    const good = await this.inGoodStanding(ids);
    const users = good.size > 0 ? await this.byIds([...good]) : [];
    return users.map((user) => ({
      id: user.id,
      email: user.email,
      emailNorm: user.emailNorm,
      name: `${user.firstName} ${user.lastName}`.trim(),
      agencyName: user.agencyName ?? null,
      plan: this.resolve(user).plan,
      createdAt: new Date(user.createdAt as unknown as Date),
    }));
  }

  /**
   * Returns the account as a RequestUser, for scheduled work that runs without a request.
   * @returns null for an account that is suspended or closed
   */
  async actingUser(id: string): Promise<RequestUser | null> {
    const user = await this.byId(id);
    if (!user || user.suspendedAt || user.deletedAt) return null;
    return {
      id: user.id,
      email: user.email,
      emailNorm: user.emailNorm,
      firstName: user.firstName,
      lastName: user.lastName,
      agencyName: user.agencyName ?? null,
      role: user.role,
      isAdmin: user.isAdmin,
      isVerified: await this.isVerified(id),
      timeZone: user.timeZone,
      tier: user.tier,
      customDailyLimit: user.customDailyLimit ?? null,
      referralAccessUntil: user.referralAccessUntil ?? null,
      sessionId: '',
    };
  }

  /** Current entitlements of the account. */
  async entitlementsOf(id: string): Promise<Entitlements> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    return this.resolve(user);
  }

  /**
   * Daily limit of an account that had a paid plan or free months at the time `since` and is on the Free plan now.
   * @returns null for any other account, and for an account with a custom limit
   */
  async limitAfterPlanSince(id: string, since: Date): Promise<number | null> {
    const user = await this.byId(id);
    if (!user) return null;
    const now = this.resolve(user);
    if (now.limitScope !== 'mailbox') return null;
    // A plan that was refunded or disputed keeps its status but loses its end date.
    const wasTakenBack = !user.planAccessUntil && Boolean(user.subscriptionStatus);
    return wasTakenBack || this.resolve(user, since).source !== 'none' ? now.dailyLimit : null;
  }

  /** Number of unused free months, as a numeric string. */
  async freeMonthsOf(id: string): Promise<string> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    return String(freeMonths(user, this.clock.now()));
  }

  /** The user in the form that the API returns. */
  async describe(id: string): Promise<CurrentUserDto> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    const { plan, dailyLimit, limitScope } = this.resolve(user);
    const [verified, sentToday, scheduledToday] = await Promise.all([
      this.isVerified(id),
      this.usage().sentToday(id, user.timeZone, limitScope),
      this.usage().heldToday(id, user.timeZone, limitScope),
    ]);
    return {
      id: user.id,
      email: user.email,
      firstName: user.firstName,
      lastName: user.lastName,
      agencyName: user.agencyName ?? null,
      profileImageUrl: user.profileImageUrl ?? null,
      role: user.role,
      tier: plan,
      customDailyLimit: user.customDailyLimit ? Number(user.customDailyLimit) : null,
      isAdmin: user.isAdmin,
      isVerified: verified,
      referralCreditsMonths: String(freeMonths(user, this.clock.now())),
      timeZone: user.timeZone,
      createdAt: new Date(user.createdAt as unknown as Date).toISOString(),
      entitlements: {
        plan,
        dailyLimit,
        sentToday,
        scheduledToday,
        remainingToday: dailyLimit === null ? null : Math.max(0, dailyLimit - sentToday - scheduledToday),
      },
    };
  }

  private resolve(user: User, at = this.clock.now()): Entitlements {
    return entitlements({ ...user, customDailyLimit: user.customDailyLimit ?? null }, at, this.settings.freeDailyLimit);
  }

  /** Resolved lazily, because the history module provides it and auth must not import history. */
  private usage(): UsageCounter {
    return this.modules.get<UsageCounter>(UsageCounter as unknown as Type<UsageCounter>, { strict: false });
  }
}
