import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { parseAddress } from '../../shared/mail/address.js';

/** Who runs the product. Needs the database only, for the command line. */
@Injectable()
export class AdminRights {
  constructor(private readonly em: EntityManager) {}

  /** Makes a registered account an admin, or an ordinary one. @returns false for an unknown address */
  async set(email: string, isAdmin: boolean): Promise<boolean> {
    const norm = parseAddress(email)?.norm ?? '';
    return this.em.fork().transactional(async (em) => {
      const [known] = await rows<{ id: string; isAdmin: boolean }>(em, `select id, is_admin as "isAdmin" from users where email_norm = ? for no key update`, [norm]);
      if (known && known.isAdmin !== isAdmin) {
        await changed(em, `update users set is_admin = ?, updated_at = now() where id = ?`, [isAdmin, known.id]);
        await changed(em, `insert into audit_events (user_id, kind, reason) values (?, ?, 'Command line')`, [known.id, isAdmin ? 'admin.granted' : 'admin.revoked']);
      }
      return known !== undefined;
    });
  }
}

@Module({ providers: [AdminRights], exports: [AdminRights] })
export class AdminRightsModule {}
