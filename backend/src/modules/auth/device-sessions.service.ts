import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { bulkRows, changed, rows } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/client-of.js';
import type { RequestUser } from '../../shared/http/request-user.js';
import { hashToken, mintToken } from '../../shared/tokens/tokens.js';
import type { Role } from '../../shared/words/role.js';
import type { AuditKind } from './audit-kinds.js';
import { AuditTrail } from './audit-trail.service.js';
import { REFRESH_DAYS } from './auth-cookies.service.js';
import { type RefreshTokens, rotate } from './refresh-rotation.js';
import { SealedValues } from './sealed-values.js';

/** Longer than an answer is under way: within it, requests that show the same token are tabs of one browser. */
const PARALLEL_SECONDS = 30;

/** A device's session as its cookie names it. */
export interface OpenedSession {
  sessionId: string;
  userId: string;
  /** The new refresh token; absent where a parallel request carries it. */
  refreshToken?: string;
}

/** A refresh token as a browser shows it. */
interface HeldToken {
  sessionId: string;
  token: string;
}

interface EndingAct {
  kind: AuditKind;
  actorId?: null;
  client: Client;
}

const USER_OF_SESSION = `
  select u.id, u.email, u.email_norm, u.first_name, u.last_name, u.agency_name, u.role, u.is_admin, u.time_zone, u.tier, u.custom_daily_limit,
    u.referral_access_until, c.is_verified, s.last_seen_at < now() - interval '2 minutes' as stale
  from auth_sessions s join users u on u.id = s.user_id join auth_credentials c on c.user_id = u.id
  where s.id = ? and s.user_id = ? and s.expires_at > now() and u.suspended_at is null`;

interface UserRow {
  id: string;
  email: string;
  email_norm: string;
  first_name: string;
  last_name: string;
  agency_name: string | null;
  role: Role;
  is_admin: boolean;
  time_zone: string;
  tier: string;
  custom_daily_limit: string | null;
  referral_access_until: string | Date | null;
  is_verified: boolean;
  stale: boolean;
}

/** The rows of auth_sessions: one a signed-in device, looked at on every request, so that ending one ends it everywhere. */
@Injectable()
export class DeviceSessions {
  private readonly seals: SealedValues;

  constructor(private readonly em: EntityManager, private readonly audit: AuditTrail, settings: Settings) {
    this.seals = new SealedValues(settings, 'refresh-cookie', 'refresh');
  }

  /** A new device; `seconds` for one that is not renewed (a script's token). */
  async open(userId: string, client: Client, seconds = REFRESH_DAYS * 86_400): Promise<Required<OpenedSession>> {
    const token = mintToken();
    const sessionId = await this.fork().transactional(async (em) => {
      const [row] = await rows<{ id: string }>(
        em,
        `insert into auth_sessions (user_id, session_token, expires_at, user_agent, ip_address)
         values (?, ?, now() + make_interval(secs => ?::int), ?, ?) returning id`,
        [userId, hashToken(token), seconds, client.userAgent, client.ip],
      );
      await this.audit.record(em, { kind: 'session.opened', userId, client });
      return row!.id;
    });
    return { sessionId, userId, refreshToken: this.sealed(sessionId, token) };
  }

  /** Who a session belongs to: one read, on every request; when it was last used is noted every few minutes. */
  async userOf(sessionId: string, userId: string): Promise<RequestUser | undefined> {
    const [row] = await rows<UserRow>(this.fork(), USER_OF_SESSION, [sessionId, userId]);
    if (row?.stale) await changed(this.fork(), `update auth_sessions set last_seen_at = now() where id = ?`, [sessionId]);
    return row && toRequestUser(row, sessionId);
  }

  /** Which of these sessions live, with their account in good standing, by session id; looking does not prolong them. */
  async activeOf(users: readonly { id: string; sessionId: string }[]): Promise<Map<string, { isAdmin: boolean }>> {
    const active = await bulkRows<{ id: string; isAdmin: boolean }>(
      this.fork(),
      `select s.id, u.is_admin as "isAdmin" from jsonb_to_recordset(?::jsonb) as a (id uuid, "sessionId" uuid)
       join auth_sessions s on s.id = a."sessionId" and s.user_id = a.id join users u on u.id = s.user_id
       where s.expires_at > now() and u.suspended_at is null`,
      [JSON.stringify(users.map(({ id, sessionId }) => ({ id, sessionId })))],
    );
    return new Map(active.map(({ id, isAdmin }) => [id, { isAdmin }]));
  }

  /**
   * Exchanges a refresh token for the next one, under the row's lock: several tabs and instances take turns.
   * @returns undefined where the session has ended; a token older than the previous one ends it
   */
  async renew(cookie: string, client: Client): Promise<OpenedSession | undefined> {
    const held = this.opened(cookie);
    return held && this.fork().transactional((em) => this.exchange(em, held, client));
  }

  /** Ends the device that a refresh token names, whatever became of the token. */
  async endByToken(cookie: string | undefined): Promise<void> {
    const held = cookie ? this.opened(cookie) : undefined;
    if (held) await this.end(held.sessionId);
  }

  /** @param act what to write into the audit trail of it, where anything */
  async end(sessionId: string, act?: EndingAct): Promise<void> {
    await this.fork().transactional((em) => this.remove(em, sessionId, act));
  }

  private async exchange(em: EntityManager, { sessionId, token }: HeldToken, client: Client): Promise<OpenedSession | undefined> {
    const [row] = await rows<RefreshTokens & { userId: string; isParallel: boolean }>(
      em,
      `select user_id as "userId", session_token as current, previous_token as previous, pending_tokens as pending,
         coalesce(rotated_at > now() - make_interval(secs => ?::int), false) as "isParallel"
       from auth_sessions where id = ? and expires_at > now() for update`,
      [PARALLEL_SECONDS, sessionId],
    );
    if (!row) return undefined;
    const next = mintToken();
    const rotation = rotate(row, hashToken(token), hashToken(next), row.isParallel);
    if (rotation.kind === 'reused') {
      await this.remove(em, sessionId, { kind: 'session.reused', actorId: null, client });
      return undefined;
    }
    if (rotation.kind === 'parallel') return { sessionId, userId: row.userId };
    const { current, previous, pending } = rotation.tokens;
    await changed(
      em,
      `update auth_sessions set session_token = ?, previous_token = ?, pending_tokens = ?::jsonb, rotated_at = now(), last_seen_at = now(),
         expires_at = now() + make_interval(days => ?::int) where id = ?`,
      [current, previous, JSON.stringify(pending), REFRESH_DAYS, sessionId],
    );
    return { sessionId, userId: row.userId, refreshToken: this.sealed(sessionId, next) };
  }

  private async remove(em: EntityManager, sessionId: string, act?: EndingAct): Promise<void> {
    const [gone] = await rows<{ user_id: string }>(em, `delete from auth_sessions where id = ? returning user_id`, [sessionId]);
    if (gone && act) await this.audit.record(em, { userId: gone.user_id, ...act });
  }

  /** The token carries its session's id and our seal: a stale one of ours is told from a guessed one. */
  private sealed(sessionId: string, token: string): string {
    return this.seals.seal(`${sessionId}.${token}`);
  }

  private opened(cookie: string): HeldToken | undefined {
    const [sessionId, token] = this.seals.open(cookie)?.split('.') ?? [];
    return sessionId && token ? { sessionId, token } : undefined;
  }

  /** Docs and queue pages ask outside any request context. */
  private fork(): EntityManager {
    return this.em.fork();
  }
}

function toRequestUser(row: UserRow, sessionId: string): RequestUser {
  return {
    id: row.id, email: row.email, emailNorm: row.email_norm, firstName: row.first_name, lastName: row.last_name, agencyName: row.agency_name,
    role: row.role, isAdmin: row.is_admin, isVerified: row.is_verified, timeZone: row.time_zone, tier: row.tier,
    customDailyLimit: row.custom_daily_limit, referralAccessUntil: row.referral_access_until ? new Date(row.referral_access_until) : null, sessionId,
  };
}
