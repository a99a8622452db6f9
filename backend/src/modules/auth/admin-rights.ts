import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Module } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import { parseAddress } from '../../shared/mail/address.js';

/** Who runs the product. Needs the database only, for the command line. */
@Injectable()
export class AdminRights {
  constructor(private readonly em: EntityManager) {}

  /** Makes a registered account an admin, or an ordinary one. @returns false for an unknown address */
  async set(email: string, isAdmin: boolean): Promise<boolean> {
    const norm = parseAddress(email)?.norm ?? '';
    return (await changed(this.em.fork(), `update users set is_admin = ?, updated_at = now() where email_norm = ?`, [isAdmin, norm])) > 0;
  }
}

@Module({ providers: [AdminRights], exports: [AdminRights] })
export class AdminRightsModule {}
