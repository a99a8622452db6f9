import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction } from '../../../shared/database/queries/rows.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import type { Role } from '../../../shared/enums.js';
import { AuditTrail } from '../audit/audit-trail.service.js';

/** Changes that users make to their own profile. */
@Injectable()
export class Profile {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
  ) {}

  async changeRole(userId: string, role: Role, client: Client): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const count = await changed(em, `update users set role = ?, updated_at = now() where id = ? and role <> ?`, [
        role,
        userId,
        role,
      ]);
      if (count > 0) await this.audit.record(em, { kind: 'role.changed', userId, reason: role, client });
    });
  }

  async changeName(userId: string, name: { firstName: string; lastName: string }): Promise<void> {
    await changed(this.em.fork(), `update users set first_name = ?, last_name = ?, updated_at = now() where id = ?`, [
      name.firstName,
      name.lastName,
      userId,
    ]);
  }

  /**
   * Changes agency and time zone; absent fields keep their values. The send counter of the current day keeps its time
   * zone until that day ends; otherwise changing the zone would give the account a second day's limit.
   */
  async changeSettings(
    userId: string,
    { agencyName, timeZone }: { agencyName?: string | null; timeZone?: string },
  ): Promise<void> {
    await changed(
      this.em.fork(),
      `update users set agency_name = case when ? then ? else agency_name end, time_zone = coalesce(?, time_zone), updated_at = now() where id = ?`,
      [agencyName !== undefined, agencyName ?? null, timeZone ?? null, userId],
    );
  }
}
