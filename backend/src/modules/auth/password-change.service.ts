import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import type { Client } from '../../shared/http/client-of.js';
import { RateLimits } from '../../shared/http/rate-limits.service.js';
import type { RequestUser } from '../../shared/http/request-user.js';
import { AccountMail } from './account-mail.service.js';
import { wrongCurrentPassword } from './auth.errors.js';
import { PasswordConsequences } from './password-consequences.service.js';
import { PasswordHasher } from './password-hasher.service.js';

/** A new password for who knows the present one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly mail: AccountMail,
    private readonly limits: RateLimits,
    private readonly consequences: PasswordConsequences,
  ) {}

  /** Every other device is signed out, and a mail tells of it. @throws 400 for a wrong present password */
  async change(user: RequestUser, current: string, next: string, client: Client): Promise<void> {
    const held = await this.confirmed(user.id, current);
    if (!held) throw wrongCurrentPassword();
    const passwordHash = await this.hasher.hash(next);
    await this.em.fork().transactional(async (em) => {
      const count = await changed(
        em,
        `update auth_credentials set password_hash = ?, reset_token = null, reset_token_expires = null, updated_at = now()
         where user_id = ? and password_hash = ?`,
        [passwordHash, user.id, held],
      );
      if (count === 0) throw wrongCurrentPassword();
      await this.consequences.follow(em, 'password.changed', { ...user, userId: user.id }, client, user.sessionId);
    });
    await this.mail.kick();
  }

  /** The stored hash where the password is the account's; guesses are counted like those at the door. */
  async confirmed(userId: string, password: string): Promise<string | undefined> {
    const key = `signed-in:${userId}`;
    await this.limits.consume('sign-in', key);
    const [row] = await rows<{ hash: string }>(this.em.fork(), `select password_hash as hash from auth_credentials where user_id = ?`, [userId]);
    if (!(await this.hasher.verify(password, row?.hash))) return undefined;
    await this.limits.reset('sign-in', key);
    return row?.hash;
  }
}
