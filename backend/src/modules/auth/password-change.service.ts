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
import { PasswordRules } from './password-rules.service.js';

/** A new password for who knows the present one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly mail: AccountMail,
    private readonly limits: RateLimits,
    private readonly consequences: PasswordConsequences,
  ) {}

  /** Every other device is signed out, and a mail tells of it. @throws 400 for a wrong present password or a common new one */
  async change(user: RequestUser, current: string, next: string, client: Client): Promise<void> {
    this.rules.assertUncommon('newPassword', next, user.email);
    const held = await this.require(user.id, current);
    const passwordHash = await this.hasher.hash(next, { knownAccount: user.id });
    // A second try: the present password may have been hashed anew meanwhile, at today's costs.
    const isDone = (await this.replace(user, held, passwordHash, client)) || (await this.replace(user, await this.require(user.id, current), passwordHash, client));
    if (!isDone) throw wrongCurrentPassword();
    await this.mail.kick();
  }

  private async require(userId: string, current: string): Promise<string> {
    const held = await this.confirmed(userId, current);
    if (!held) throw wrongCurrentPassword();
    return held;
  }

  /** @returns false where the stored hash is not the one held any more */
  private async replace(user: RequestUser, held: string, passwordHash: string, client: Client): Promise<boolean> {
    return this.em.fork().transactional(async (em) => {
      const count = await changed(
        em,
        `update auth_credentials set password_hash = ?, reset_token = null, reset_token_expires = null, updated_at = now()
         where user_id = ? and password_hash = ?`,
        [passwordHash, user.id, held],
      );
      if (count > 0) await this.consequences.follow(em, 'password.changed', { ...user, userId: user.id }, client, user.sessionId);
      return count > 0;
    });
  }

  /** The stored hash where the password is the account's; guesses are counted like those at the door. */
  async confirmed(userId: string, password: string): Promise<string | undefined> {
    const key = `signed-in:${userId}`;
    await this.limits.consume('sign-in', key);
    const [row] = await rows<{ hash: string }>(this.em.fork(), `select password_hash as hash from auth_credentials where user_id = ?`, [userId]);
    if (!(await this.hasher.verify(password, row?.hash, { knownAccount: userId }))) return undefined;
    await this.limits.reset('sign-in', key);
    return row?.hash;
  }
}
