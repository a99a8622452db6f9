import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../shared/database/rows.js';
import { PasswordHasher } from './password-hasher.service.js';

/** Brings hashes that were made at lower costs up to today's, when their password is at hand: at sign-in. */
@Injectable()
export class PasswordRehash {
  private readonly log = new Logger(PasswordRehash.name);

  constructor(private readonly em: EntityManager, private readonly hasher: PasswordHasher) {}

  /** After the answer; what is lost with the process is done at the next sign-in. @param held the stored hash that the password matched */
  soon(userId: string, password: string, held: string): void {
    if (!this.hasher.isOutdated(held)) return;
    this.replace(userId, password, held).catch((error: unknown) => this.log.warn({ err: error, userId, code: 'password_rehash_failed' }, 'a password hash was not renewed; the next sign-in tries again'));
  }

  /** Only over the hash that was matched: a password changed meanwhile stays changed. */
  private async replace(userId: string, password: string, held: string): Promise<void> {
    const renewed = await this.hasher.hash(password, 'background');
    await changed(this.em.fork(), `update auth_credentials set password_hash = ? where user_id = ? and password_hash = ?`, [renewed, userId, held]);
  }
}
