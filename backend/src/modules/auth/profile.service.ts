import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/client-of.js';
import type { Role } from '../../shared/words/role.js';
import { AuditTrail } from './audit-trail.service.js';

/** What people change about themselves. */
@Injectable()
export class Profile {
  constructor(private readonly em: EntityManager, private readonly audit: AuditTrail) {}

  async changeRole(userId: string, role: Role, client: Client): Promise<void> {
    await this.em.fork().transactional(async (em) => {
      const count = await changed(em, `update users set role = ?, updated_at = now() where id = ? and role <> ?`, [role, userId, role]);
      if (count > 0) await this.audit.record(em, { kind: 'role.changed', userId, reason: role, client });
    });
  }

  async changeName(userId: string, name: { firstName: string; lastName: string }): Promise<void> {
    await changed(this.em.fork(), `update users set first_name = ?, last_name = ?, updated_at = now() where id = ?`, [name.firstName, name.lastName, userId]);
  }

  /** What is absent stays. A day of the counter that was opened in the old zone stays the day until it ends there (decisions.md D11). */
  async changeSettings(userId: string, { agencyName, timeZone }: { agencyName?: string | null; timeZone?: string }): Promise<void> {
    await changed(
      this.em.fork(),
      `update users set agency_name = case when ? then ? else agency_name end, time_zone = coalesce(?, time_zone), updated_at = now() where id = ?`,
      [agencyName !== undefined, agencyName ?? null, timeZone ?? null, userId],
    );
  }
}
