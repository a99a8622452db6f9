import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client, RequestUser } from '../../../shared/http/requests/request-user.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { noSuchSession } from '../auth.errors.js';
import type { DeviceSessionDto } from './session.dto.js';
import { describeUserAgent } from '../audit/describe-user-agent.js';

interface SessionRow {
  id: string;
  userAgent: string | null;
  ipAddress: string | null;
  createdAt: string | Date;
  lastSeenAt: string | Date;
}

/** The devices that are signed in to an account. */
@Injectable()
export class DeviceList {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
  ) {}

  /** Devices of any account, for admins. */
  ofAccount(userId: string): Promise<DeviceSessionDto[]> {
    return this.of({ id: userId, sessionId: null });
  }

  /** Lists the current device first, then the others, most recently used first. */
  async of(user: { id: string; sessionId: string | null }): Promise<DeviceSessionDto[]> {
    const found = await rows<SessionRow>(
      this.em.fork(),
      `select id, user_agent as "userAgent", ip_address as "ipAddress", created_at as "createdAt", last_seen_at as "lastSeenAt"
       from auth_sessions where user_id = ? and expires_at > now() order by id = ?::uuid desc, last_seen_at desc, id`,
      [user.id, user.sessionId],
    );
    return found.map(({ id, userAgent, ipAddress, createdAt, lastSeenAt }) => ({
      id,
      device: describeUserAgent(userAgent),
      userAgent,
      ipAddress,
      createdAt: new Date(createdAt).toISOString(),
      lastSeenAt: new Date(lastSeenAt).toISOString(),
      current: id === user.sessionId,
    }));
  }

  /**
   * Signs out one device, with immediate effect on all instances.
   * @throws 404 for another user's device, or one that is already signed out
   */
  async end(user: RequestUser, sessionId: string, client: Client): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [gone] = await rows<{ userAgent: string | null }>(
        em,
        `delete from auth_sessions where id = ? and user_id = ? returning user_agent as "userAgent"`,
        [sessionId, user.id],
      );
      if (!gone) throw noSuchSession();
      await this.audit.record(em, {
        kind: 'session.ended',
        userId: user.id,
        reason: describeUserAgent(gone.userAgent),
        client,
      });
    });
  }

  /** Signs out every device except the current one. */
  async endOthers(user: RequestUser, client: Client): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const gone = await rows(em, `delete from auth_sessions where user_id = ? and id <> ? returning id`, [
        user.id,
        user.sessionId,
      ]);
      if (gone.length > 0)
        await this.audit.record(em, {
          kind: 'session.ended_others',
          userId: user.id,
          reason: `${gone.length}`,
          client,
        });
    });
  }
}
