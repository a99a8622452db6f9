import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, type Type } from '@nestjs/common';
import { ModuleRef } from '@nestjs/core';
import { Clock } from '../../shared/clock/clock.js';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/rows.js';
import { UsageCounter } from '../../shared/usage/usage-counter.js';
import type { CurrentUserDto } from './dto/current-user.dto.js';
import { AuthCredential } from './entities/auth-credential.entity.js';
import { User } from './entities/user.entity.js';
import { entitlements, type Entitlements, freeMonths } from './entitlements.js';
import { notSignedIn } from './auth.errors.js';

/** Whether an account is suspended, as a condition of others' statements. @param id placeholder or column */
export const suspendedSql = (id: string): string => `exists (select 1 from users where id = ${id} and suspended_at is not null)`;

/** The hash of an account's mailbox, as an expression of others' statements; null for a closed account. @param id placeholder or column */
export const mailboxHashSql = (id: string): string => `(select mailbox_hash from users where id = ${id})`;

/** An account that may have mail go out. */
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

/** Accounts, for the other modules: this module's face. */
@Injectable()
export class Accounts {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
    private readonly modules: ModuleRef,
  ) {}

  async byId(id: string): Promise<User | null> {
    return this.em.fork().findOne(User, { id });
  }

  async byIds(ids: string[]): Promise<User[]> {
    return this.em.fork().find(User, { id: { $in: ids } });
  }

  async isVerified(id: string): Promise<boolean> {
    return (await this.em.fork().count(AuthCredential, { userId: id, isVerified: true })) > 0;
  }

  /** Which of these accounts may have mail go out: verified, and not suspended. */
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
   * Which of these accounts are in good standing, in the caller's transaction: until it ends, suspending or closing one of them waits.
   * @param busy what becomes of an account that another transaction is just changing: `wait` for it, or `skip` it (it counts as not in
   *   good standing), so that holding many accounts at once can never deadlock
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

  /** Those of these accounts that may have mail go out, with what such mail says of them. */
  async sendersOf(ids: string[]): Promise<SendingAccount[]> {
    if (ids.length === 0) return [];
    const good = await this.inGoodStanding(ids);
    const users = good.size > 0 ? await this.byIds([...good]) : [];
    return users.map((user) => ({
      id: user.id, email: user.email, emailNorm: user.emailNorm, name: `${user.firstName} ${user.lastName}`.trim(), agencyName: user.agencyName ?? null,
      plan: this.resolve(user).plan, createdAt: new Date(user.createdAt as unknown as Date),
    }));
  }

  /** What the account may do now. */
  async entitlementsOf(id: string): Promise<Entitlements> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    return this.resolve(user);
  }

  /**
   * Sends a day that are left to an account whose plan has ended since a moment. Null: the plan stands, none was in force then, or the account
   * has a limit of its own.
   */
  async limitAfterPlanSince(id: string, since: Date): Promise<number | null> {
    const user = await this.byId(id);
    if (!user) return null;
    const now = this.resolve(user);
    if (now.limitScope !== 'mailbox') return null;
    // A plan that is taken back (refund, lost dispute) leaves its state and no date.
    const wasTakenBack = !user.planAccessUntil && Boolean(user.subscriptionStatus);
    return wasTakenBack || this.resolve(user, since).source !== 'none' ? now.dailyLimit : null;
  }

  /** Free months earned and not used up, a number in text. */
  async freeMonthsOf(id: string): Promise<string> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    return String(freeMonths(user, this.clock.now()));
  }

  /** The user as the web app sees it. */
  async describe(id: string): Promise<CurrentUserDto> {
    const user = await this.byId(id);
    if (!user) throw notSignedIn();
    const { plan, dailyLimit, limitScope } = this.resolve(user);
    const [verified, sentToday] = await Promise.all([this.isVerified(id), this.usage().sentToday(id, user.timeZone, limitScope)]);
    return {
      id: user.id, email: user.email, firstName: user.firstName, lastName: user.lastName, agencyName: user.agencyName ?? null,
      profileImageUrl: user.profileImageUrl ?? null, role: user.role, tier: plan,
      customDailyLimit: user.customDailyLimit ? Number(user.customDailyLimit) : null,
      isAdmin: user.isAdmin, isVerified: verified, referralCreditsMonths: String(freeMonths(user, this.clock.now())), timeZone: user.timeZone,
      createdAt: new Date(user.createdAt as unknown as Date).toISOString(),
      entitlements: { plan, dailyLimit, sentToday, remainingToday: dailyLimit === null ? null : Math.max(0, dailyLimit - sentToday) },
    };
  }

  private resolve(user: User, at = this.clock.now()): Entitlements {
    return entitlements({ ...user, customDailyLimit: user.customDailyLimit ?? null }, at, this.settings.freeDailyLimit);
  }

  /** History provides it; asked for when needed, since auth may not import history. */
  private usage(): UsageCounter {
    return this.modules.get<UsageCounter>(UsageCounter as unknown as Type<UsageCounter>, { strict: false });
  }
}
