import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed } from '../../../shared/database/queries/rows.js';
import { PasswordHasher } from './password-hasher.service.js';

/** Rehashes passwords with outdated cost parameters at sign-in, when the plain password is available. */
@Injectable()
export class PasswordRehash {
  private readonly log = new Logger(PasswordRehash.name);

  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
  ) {}

  /**
   * Runs after the answer; if lost, the next sign-in repeats it.
   * @param held the stored hash that the password matched
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

  /** Replaces only the hash that was verified, so that a concurrent password change is kept. */
  private async replace(userId: string, password: string, held: string): Promise<void> {
    const renewed = await this.hasher.hash(password, 'background');
    await changed(
      this.em.fork(),
      `update auth_credentials set password_hash = ? where user_id = ? and password_hash = ?`,
      [renewed, userId, held],
    );
  }
}
