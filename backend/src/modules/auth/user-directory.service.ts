import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { contains, Keyset, type KeysetRow, type SortKey } from '../../shared/database/keyset.js';
import { rows } from '../../shared/database/rows.js';
import type { Page } from '../../shared/http/paged.js';
import type { Role } from '../../shared/words/role.js';
import { noSuchUser } from './auth.errors.js';

/** An account as the people who run the product see it: no hash, no token, no session. */
export interface ListedUser {
  id: string;
  email: string;
  firstName: string;
  lastName: string;
  agencyName: string | null;
  profileImageUrl: string | null;
  role: Role;
  tier: string;
  customDailyLimit: number | null;
  isAdmin: boolean;
  isVerified: boolean;
  referralCreditsMonths: string;
  timeZone: string;
  createdAt: string;
  suspendedAt: string | null;
}

export interface UserFilter {
  /** In address, names and agency. */
  search?: string;
  isVerified?: boolean;
  isAdmin?: boolean;
  isSuspended?: boolean;
  sort?: string;
  limit?: number;
  cursor?: string;
}

const SORTS: Record<string, SortKey> = {
  createdAt: { expression: 'u.created_at', type: 'timestamptz' },
  email: { expression: 'u.email_norm', type: 'text' },
  name: { expression: `lower(u.last_name || ' ' || u.first_name)`, type: 'text' },
};
const PAGE = 50;
const FROM = 'users u join auth_credentials c on c.user_id = u.id';
const SHOWN = `u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.agency_name as "agencyName", u.profile_image_url as "profileImageUrl",
  u.role, u.tier, u.custom_daily_limit as "customDailyLimit", u.is_admin as "isAdmin", c.is_verified as "isVerified",
  u.referral_credits_months as "referralCreditsMonths", u.time_zone as "timeZone", u.created_at as "createdAt", u.suspended_at as "suspendedAt"`;

type Row = Omit<ListedUser, 'customDailyLimit'> & { customDailyLimit: string | null };

/** All accounts, for the admin module. */
@Injectable()
export class UserDirectory {
  constructor(private readonly em: EntityManager) {}

  async page(filter: UserFilter): Promise<Page<ListedUser>> {
    const em = this.em.fork();
    const limit = filter.limit ?? PAGE;
    const keyset = new Keyset(SORTS, filter.sort ?? '-createdAt', filter.cursor, 'u.id');
    const { sql, params } = conditionOf(filter);
    const found = await rows<Row & KeysetRow>(
      em, `select ${keyset.columns}, ${SHOWN} from ${FROM} where ${sql} and ${keyset.where} order by ${keyset.orderBy} limit ?`, [...params, ...keyset.params, limit + 1],
    );
    const [count] = await rows<{ total: number }>(em, `select count(*)::int as total from ${FROM} where ${sql}`, params);
    const page = keyset.page(found, limit);
    return { ...page, rows: page.rows.map(viewOf), total: count?.total ?? 0 };
  }

  /** @throws 404 */
  async one(id: string): Promise<ListedUser> {
    const [row] = await rows<Row>(this.em.fork(), `select ${SHOWN} from ${FROM} where u.id = ?`, [id]);
    if (!row) throw noSuchUser();
    return viewOf(row);
  }
}

function conditionOf({ search, isVerified, isAdmin, isSuspended }: UserFilter): { sql: string; params: unknown[] } {
  const text = search?.trim();
  const flags = ([['c.is_verified', isVerified], ['u.is_admin', isAdmin], ['(u.suspended_at is not null)', isSuspended]] as const).filter(([, wanted]) => wanted !== undefined);
  const found = `(u.email_norm like lower(?) or lower(u.first_name || ' ' || u.last_name) like lower(?) or lower(u.agency_name) like lower(?))`;
  return {
    sql: ['true', ...flags.map(([column, wanted]) => `${column} = ${String(wanted)}`), ...(text ? [found] : [])].join(' and '),
    params: text ? [contains(text), contains(text), contains(text)] : [],
  };
}

function viewOf(row: Row): ListedUser {
  const { id, email, firstName, lastName, agencyName, profileImageUrl, role, tier, isAdmin, isVerified, referralCreditsMonths, timeZone } = row;
  return {
    id, email, firstName, lastName, agencyName, profileImageUrl, role, tier, customDailyLimit: row.customDailyLimit === null ? null : Number(row.customDailyLimit),
    isAdmin, isVerified, referralCreditsMonths, timeZone, createdAt: new Date(row.createdAt).toISOString(),
    suspendedAt: row.suspendedAt && new Date(row.suspendedAt).toISOString(),
  };
}
