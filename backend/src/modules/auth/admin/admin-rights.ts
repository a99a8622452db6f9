import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { parseAddress } from '../../../shared/mail/address.js';
import type { AuditKind } from '../audit/audit-kinds.js';

/** Actions of the command line, with their SQL statements. Each action is idempotent. */
const VERBS = {
  grant: {
    kind: 'admin.granted',
    sql: `update users set is_admin = true, updated_at = now() where id = ? and not is_admin`,
  },
  revoke: {
    kind: 'admin.revoked',
    sql: `update users set is_admin = false, updated_at = now() where id = ? and is_admin`,
  },
  verify: {
    kind: 'account.verified',
    sql: `update auth_credentials set is_verified = true, verified_at = now(), disown_token = null, updated_at = now() where user_id = ? and not is_verified`,
  },
  suspend: {
    kind: 'account.suspended',
    sql: `update users set suspended_at = now(), updated_at = now() where id = ? and suspended_at is null`,
  },
  reinstate: {
    kind: 'account.reinstated',
    sql: `update users set suspended_at = null, updated_at = now() where id = ? and suspended_at is not null`,
  },
} as const satisfies Record<string, { kind: AuditKind; sql: string }>;

export type AdminVerb = keyof typeof VERBS;
export const ADMIN_VERBS = Object.keys(VERBS) as AdminVerb[];

/** Changes accounts from the command line. Uses only the database; running processes detect the changes there. */
@Injectable()
export class AdminRights {
  constructor(private readonly em: EntityManager) {}

  /** @returns false if no account has the address */
  async change(email: string, verb: AdminVerb): Promise<boolean> {
    const norm = parseAddress(email)?.norm ?? '';
    const { kind, sql } = VERBS[verb];
    return inTransaction(this.em, async (em) => {
      const [known] = await rows<{ id: string }>(
        em,
        `select id from users where email_norm = ? and deleted_at is null for no key update`,
        [norm],
      );
      if (!known) return false;
      if ((await changed(em, sql, [known.id])) > 0) {
        await changed(em, `insert into audit_events (user_id, kind, reason) values (?, ?, 'Command line')`, [
          known.id,
          kind,
        ]);
      }
      if (verb === 'suspend') await changed(em, `delete from auth_sessions where user_id = ?`, [known.id]);
      return true;
    });
  }
}

@Module({ providers: [AdminRights], exports: [AdminRights] })
export class AdminRightsModule {}
