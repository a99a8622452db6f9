import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../../shared/database/queries/rows.js';
import { PasswordHasher } from './password-hasher.service.js';

/** Rehashes passwords with outdated cost parameters at sign-in, when the password is available in plain text. */
@Injectable()
export class PasswordRehash {
  private readonly log = new Logger(PasswordRehash.name);

  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Rehashes after the response was sent. If this fails, the next sign-in does it.
   * @param held the stored hash, which the password matched
   */
  soon(userId: string, password: string, held: string): void {
    if (!this.hasher.isOutdated(held)) return;
    this.replace(userId, password, held).catch((error: unknown) =>
      this.log.warn(
        { err: error, userId, code: 'password_rehash_failed' },
        'a password hash was not renewed; the next sign-in tries again',
      ),
    );
  }

  /** Replaces only the hash that was verified, so that a password that was changed meanwhile is kept. */
  private async replace(userId: string, password: string, held: string): Promise<void> {
    const renewed = await this.hasher.hash(password, 'background');
    await changed(
      this.em.fork(),
      `update auth_credentials set password_hash = ? where user_id = ? and password_hash = ?`,
      [renewed, userId, held],
    );
  }
}
