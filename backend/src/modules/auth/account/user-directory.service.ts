import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { isoTime } from '../../../shared/text/formats.js';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, Keyset, type SortKey } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import type { Page } from '../../../shared/http/requests/paged.js';
import type { Role } from '../../../shared/enums.js';
import { noSuchUser } from '../auth.errors.js';
import { type EntitlementSource, entitlements, freeMonths } from '../plan/entitlements.js';

/** An account as admins see it, without hashes, tokens and sessions. */
export interface ListedUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  agencyName: string | null;
  profileImageUrl: string | null;
  role: Role;
  /** Current plan. */
  tier: string;
  customDailyLimit: number | null;
  isAdmin: boolean;
  isVerified: boolean;
  referralCreditsMonths: string;
  timeZone: string;
  createdAt: string;
  suspendedAt: string | null;
  /** Sends per day; null: unlimited. */
  dailyLimit: number | null;
  planSource: EntitlementSource;
  planUntil: string | null;
  /** Stripe's status of the paid plan; null without a paid plan. */
  subscriptionStatus: string | null;
}

export interface UserFilter {
  /** Text to find in addresses, names and agencies. */
  search?: string;
  isVerified?: boolean;
  isAdmin?: boolean;
  isSuspended?: boolean;
  role?: Role;
  sort?: string;
  limit?: number;
  cursor?: string;
}

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'u.created_at', type: 'timestamptz' },
  email: { expression: 'u.email_norm', type: 'text' },
  name: { expression: `lower(u.last_name || ' ' || u.first_name)`, type: 'text' },
};
const PAGE_ROWS = 50;
const FROM = 'users u join auth_credentials c on c.user_id = u.id';
const COLUMNS = `u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.agency_name as "agencyName", u.profile_image_url as "profileImageUrl",
  u.role, u.tier, u.custom_daily_limit as "customDailyLimit", u.is_admin as "isAdmin", c.is_verified as "isVerified", u.time_zone as "timeZone",
  u.created_at as "createdAt", u.suspended_at as "suspendedAt", u.plan_access_until as "planAccessUntil", u.subscription_status as "subscriptionStatus",
  u.referral_access_from as "referralAccessFrom", u.referral_access_until as "referralAccessUntil", u.referral_month_ends as "referralMonthEnds",
  u.referral_months_credited as "referralMonthsCredited"`;

type Time = string | Date | null;
interface Row extends Omit<
  ListedUser,
  'customDailyLimit' | 'referralCreditsMonths' | 'dailyLimit' | 'planSource' | 'planUntil'
> {
  customDailyLimit: string | null;
  planAccessUntil: Time;
  referralAccessFrom: Time;
  referralAccessUntil: Time;
  referralMonthEnds: string[];
  referralMonthsCredited: number;
}

/** Lists and searches all accounts, for the admin module. */
@Injectable()
export class UserDirectory {
  constructor(
    private readonly em: EntityManager,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  async page(filter: UserFilter): Promise<Page<ListedUser>> {
    const limit = filter.limit ?? PAGE_ROWS;
    const keyset = new Keyset(SORTS, filter.sort ?? '-createdAt', filter.cursor, 'u.id');
    const page = await readPage<Row>(this.em.fork(), keyset, limit, {
      columns: COLUMNS,
      from: FROM,
      where: conditionOf(filter),
    });
    return { ...page, rows: page.rows.map((row) => this.viewOf(row)) };
  }

  async count(filter: UserFilter): Promise<number> {
    const { sql, params } = conditionOf(filter);
    const [found] = await rows<{ total: number }>(
      this.em.fork(),
      `select count(*)::int as total from ${FROM} where ${sql}`,
      params,
    );
    return found?.total ?? 0;
  }

  /** Returns the accounts with these ids, keyed by id. Ids without an account are missing. */
  async ofIds(ids: readonly string[]): Promise<Map<string, ListedUser>> {
    if (ids.length === 0) return new Map();
    const found = await rows<Row>(
      this.em.fork(),
      `select ${COLUMNS} from ${FROM} where u.id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
      [JSON.stringify(ids)],
    );
    return new Map(found.map((row) => [row.id, this.viewOf(row)]));
  }

  /** @throws 404 for an unknown id */
  async one(id: string): Promise<ListedUser> {
    const [row] = await rows<Row>(
      this.em.fork(),
      `select ${COLUMNS} from ${FROM} where u.id = ? and u.deleted_at is null`,
      [id],
    );
    if (!row) throw noSuchUser();
    return this.viewOf(row);
  }

  private viewOf(row: Row): ListedUser {
    const {
      id,
      email,
      firstName,
      lastName,
      agencyName,
      profileImageUrl,
      role,
      isAdmin,
      isVerified,
      timeZone,
      customDailyLimit,
      subscriptionStatus,
    } = row;
    const now = this.clock.now();
    const facts = {
      ...row,
      planAccessUntil: date(row.planAccessUntil),
      referralAccessFrom: date(row.referralAccessFrom),
      referralAccessUntil: date(row.referralAccessUntil),
    };
    const { plan, source, until, dailyLimit } = entitlements(facts, now, this.settings.freeDailyLimit);
    return {
      id,
      email,
      firstName,
      lastName,
      agencyName,
      profileImageUrl,
      role,
      tier: plan,
      customDailyLimit: customDailyLimit === null ? null : Number(customDailyLimit),
      isAdmin,
      isVerified,
      referralCreditsMonths: String(freeMonths(row, now)),
      timeZone,
      createdAt: new Date(row.createdAt).toISOString(),
      suspendedAt: isoTime(row.suspendedAt),
      dailyLimit,
      planSource: source,
      planUntil: isoTime(until),
      subscriptionStatus,
    };
  }
}

const date = (time: Time): Date | null => (time === null ? null : new Date(time));

function conditionOf({ search, isVerified, isAdmin, isSuspended, role }: UserFilter): SqlPart {
  const pattern = search?.trim() && contains(search.trim());
  const found = `(u.email_norm like lower(?) or lower(u.first_name || ' ' || u.last_name) like lower(?) or lower(u.agency_name) like lower(?))`;
  return allOf([
    ['u.deleted_at is null'],
    isVerified !== undefined && ['c.is_verified = ?', isVerified],
    isAdmin !== undefined && ['u.is_admin = ?', isAdmin],
    isSuspended !== undefined && ['(u.suspended_at is not null) = ?', isSuspended],
    role && ['u.role = ?', role],
    pattern && [found, pattern, pattern, pattern],
  ]);
}
