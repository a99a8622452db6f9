import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client, RequestUser } from '../../../shared/http/requests/request-user.js';
import { hashToken, mintToken } from '../../../shared/tokens/tokens.js';
import type { Role } from '../../../shared/enums.js';
import type { AuditKind } from '../audit/audit-kinds.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { REFRESH_DAYS } from '../sign-in/auth-cookies.service.js';
import { type RefreshTokens, rotate } from './refresh-rotation.js';
import { SignedValues } from './signed-values.js';

/**
 * Seconds after an exchange in which further requests with the same token count as other tabs of the same browser.
 * Longer than any request takes.
 */
const PARALLEL_SECONDS = 30;

/** The session that a cookie names. */
export interface OpenedSession {
  sessionId: string;
  userId: string;
  /** The new refresh token; absent if a parallel request got it. */
  refreshToken?: string;
}

/** A refresh token that a browser sent. */
interface PresentedToken {
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

/**
 * Sessions of signed-in devices; one row of auth_sessions each. Every request reads its row, so that the end of a
 * session takes effect everywhere at once.
 */
@Injectable()
export class DeviceSessions {
  private readonly signed: SignedValues;

  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
    settings: Settings,
  ) {
    this.signed = new SignedValues(settings, 'refresh-cookie', 'refresh');
  }

  /**
   * Opens a session.
   * @param seconds lifetime; shorter for a session that is not renewed, such as that of a script's token
   */
  async open(userId: string, client: Client, seconds = REFRESH_DAYS * 86_400): Promise<Required<OpenedSession>> {
    const token = mintToken();
    const sessionId = await inTransaction(this.em, async (em) => {
      const [row] = await rows<{ id: string }>(
        em,
        `insert into auth_sessions (user_id, session_token, expires_at, user_agent, ip_address)
         values (?, ?, now() + make_interval(secs => ?::int), ?, ?) returning id`,
        [userId, hashToken(token), seconds, client.userAgent, client.ip],
      );
      await this.audit.record(em, { kind: 'session.opened', userId, client });
      return row!.id;
    });
    return { sessionId, userId, refreshToken: this.cookieOf(sessionId, token) };
  }

  /**
   * Returns the user of a session, with one read per request. Updates the last-used time only every few minutes.
   * @returns undefined if the session has ended
   */
  async userOf(sessionId: string, userId: string): Promise<RequestUser | undefined> {
    const [row] = await rows<UserRow>(this.fork(), USER_OF_SESSION, [sessionId, userId]);
    if (row?.stale)
      await changed(this.fork(), `update auth_sessions set last_seen_at = now() where id = ?`, [sessionId]);
    return row && toRequestUser(row, sessionId);
  }

  /**
   * Returns the sessions that are still open and whose account is not suspended, keyed by session id. Does not prolong
   * them.
   */
  async activeOf(users: readonly { id: string; sessionId: string }[]): Promise<Map<string, { isAdmin: boolean }>> {
    const active = await rows<{ id: string; isAdmin: boolean }>(
      this.fork(),
      `select s.id, u.is_admin as "isAdmin" from jsonb_to_recordset(?::jsonb) as a (id uuid, "sessionId" uuid)
       join auth_sessions s on s.id = a."sessionId" and s.user_id = a.id join users u on u.id = s.user_id
       where s.expires_at > now() and u.suspended_at is null`,
      [JSON.stringify(users.map(({ id, sessionId }) => ({ id, sessionId })))],
    );
    return new Map(active.map(({ id, isAdmin }) => [id, { isAdmin }]));
  }

  /**
   * Exchanges a refresh token for its successor. A row lock serialises tabs and instances.
   * @returns undefined if the session has ended. An outdated token ends it, because the token may have been stolen; see
   * rotate.
   */
  async renew(cookie: string, client: Client): Promise<OpenedSession | undefined> {
    const held = this.opened(cookie);
    return held && inTransaction(this.em, (em) => this.exchange(em, held, client));
  }

  /** Ends the session that a refresh token names, even if the token is outdated. */
  async endByToken(cookie: string | undefined): Promise<void> {
    const held = cookie ? this.opened(cookie) : undefined;
    if (held) await this.end(held.sessionId);
  }

  /** @param act event for the audit trail; absent: none is recorded */
  async end(sessionId: string, act?: EndingAct): Promise<void> {
    await inTransaction(this.em, (em) => this.remove(em, sessionId, act));
  }

  private async exchange(
    em: EntityManager,
    { sessionId, token }: PresentedToken,
    client: Client,
  ): Promise<OpenedSession | undefined> {
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
    return { sessionId, userId: row.userId, refreshToken: this.cookieOf(sessionId, next) };
  }

  private async remove(em: EntityManager, sessionId: string, act?: EndingAct): Promise<void> {
    const [gone] = await rows<{ user_id: string }>(em, `delete from auth_sessions where id = ? returning user_id`, [
      sessionId,
    ]);
    if (gone && act) await this.audit.record(em, { userId: gone.user_id, ...act });
  }

  /** Signs session id and token, so that an outdated token can be told from a guessed one. */
  private cookieOf(sessionId: string, token: string): string {
    return this.signed.sign(`${sessionId}.${token}`);
  }

  private opened(cookie: string): PresentedToken | undefined {
    const [sessionId, token] = this.signed.verify(cookie)?.split('.') ?? [];
    return sessionId && token ? { sessionId, token } : undefined;
  }

  /** Forks, because the docs and queue pages run outside Nest's request context. */
  private fork(): EntityManager {
    return this.em.fork();
  }
}

function toRequestUser(row: UserRow, sessionId: string): RequestUser {
  return {
    id: row.id,
    email: row.email,
    emailNorm: row.email_norm,
    firstName: row.first_name,
    lastName: row.last_name,
    agencyName: row.agency_name,
    role: row.role,
    isAdmin: row.is_admin,
    isVerified: row.is_verified,
    timeZone: row.time_zone,
    tier: row.tier,
    customDailyLimit: row.custom_daily_limit,
    referralAccessUntil: row.referral_access_until ? new Date(row.referral_access_until) : null,
    sessionId,
  };
}
