import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { changed, rows } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/client-of.js';
import type { RequestUser } from '../../shared/http/request-user.js';
import { hashToken, mintToken } from '../../shared/tokens/tokens.js';
import type { Role } from '../../shared/words/role.js';
import type { AuditKind } from './audit-kinds.js';
import { AuditTrail } from './audit-trail.service.js';
import { REFRESH_DAYS } from './auth-cookies.service.js';
import { SealedValues } from './sealed-values.js';

/** Two tabs may renew at the same moment: the one that comes second is let in, without a token of its own. */
const GRACE_SECONDS = 30;

/** A device's session as its cookie names it. */
export interface OpenedSession {
  sessionId: string;
  userId: string;
  /** The new refresh token; absent for the tab that came second. */
  refreshToken?: string;
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

  /** Exchanges a refresh token for the next one. One that was exchanged before ends the session: somebody has a copy. */
  async renew(cookie: string, client: Client): Promise<OpenedSession | undefined> {
    const held = this.opened(cookie);
    if (!held) return undefined;
    const em = this.fork();
    const next = mintToken();
    const [row] = await rows<{ user_id: string }>(
      em,
      `update auth_sessions set previous_token = session_token, session_token = ?, rotated_at = now(), last_seen_at = now(),
         expires_at = now() + make_interval(days => ?::int)
       where id = ? and session_token = ? and expires_at > now() returning user_id`,
      [hashToken(next), REFRESH_DAYS, held.sessionId, hashToken(held.token)],
    );
    if (row) return { sessionId: held.sessionId, userId: row.user_id, refreshToken: this.sealed(held.sessionId, next) };
    return this.second(em, held, client);
  }

  /** Ends the device that a refresh token names, whatever became of the token. */
  async endByToken(cookie: string | undefined): Promise<void> {
    const held = cookie ? this.opened(cookie) : undefined;
    if (held) await this.end(held.sessionId);
  }

  /** @param act what to write into the audit trail of it, where anything */
  async end(sessionId: string, act?: { kind: AuditKind; actorId?: null; client: Client }): Promise<void> {
    await this.fork().transactional(async (em) => {
      const [gone] = await rows<{ user_id: string }>(em, `delete from auth_sessions where id = ? returning user_id`, [sessionId]);
      if (gone && act) await this.audit.record(em, { userId: gone.user_id, ...act });
    });
  }

  private async second(em: EntityManager, held: { sessionId: string; token: string }, client: Client): Promise<OpenedSession | undefined> {
    const [row] = await rows<{ user_id: string }>(
      em,
      `select user_id from auth_sessions
       where id = ? and previous_token = ? and expires_at > now() and rotated_at > now() - make_interval(secs => ?::int)`,
      [held.sessionId, hashToken(held.token), GRACE_SECONDS],
    );
    if (row) return { sessionId: held.sessionId, userId: row.user_id };
    await this.end(held.sessionId, { kind: 'session.reused', actorId: null, client });
    return undefined;
  }

  /** The token carries its session's id and our seal: a stale one of ours is told from a guessed one. */
  private sealed(sessionId: string, token: string): string {
    return this.seals.seal(`${sessionId}.${token}`);
  }

  private opened(cookie: string): { sessionId: string; token: string } | undefined {
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
