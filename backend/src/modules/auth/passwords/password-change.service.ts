import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Client, RequestUser } from '../../../shared/http/requests/request-user.js';
import { RateLimits } from '../../../shared/http/rate-limits/rate-limits.service.js';
import { AccountMail } from '../account/account-mail.service.js';
import { wrongCurrentPassword } from '../auth.errors.js';
import { PasswordChangeFollowUp } from './password-change-follow-up.service.js';
import { PasswordHasher } from '../sign-in/password-hasher.service.js';
import { PasswordRules } from './password-rules.service.js';

/** Changes the password of a user who enters the current one. */
@Injectable()
export class PasswordChange {
  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly mail: AccountMail,
    private readonly limits: RateLimits,
    private readonly consequences: PasswordChangeFollowUp,
  ) {}

  /**
   * Changes the password, signs out every other device and notifies the user by mail.
   * @throws 400 for a wrong current password or a common new one
   */
  async change(user: RequestUser, current: string, next: string, client: Client): Promise<void> {
    this.rules.assertUncommon('newPassword', next, user.email);
    const held = await this.require(user.id, current);
    const passwordHash = await this.hasher.hash(next, { knownAccount: user.id });
    // Retries once, because a sign-in may have rehashed the current password with new cost parameters in the meantime.
    const isDone =
      (await this.replace(user, held, passwordHash, client)) ||
      (await this.replace(user, await this.require(user.id, current), passwordHash, client));
    if (!isDone) throw wrongCurrentPassword();
    await this.mail.kick();
  }

  private async require(userId: string, current: string): Promise<string> {
    const held = await this.confirmed(userId, current);
    if (!held) throw wrongCurrentPassword();
    return held;
  }

  /** @returns false if the stored hash is no longer `held` */
  private async replace(user: RequestUser, held: string, passwordHash: string, client: Client): Promise<boolean> {
    return inTransaction(this.em, async (em) => {
      const count = await changed(
        em,
        `update auth_credentials set password_hash = ?, reset_token = null, reset_token_expires = null, updated_at = now()
         where user_id = ? and password_hash = ?`,
        [passwordHash, user.id, held],
      );
      if (count > 0)
        await this.consequences.follow(em, 'password.changed', { ...user, userId: user.id }, client, user.sessionId);
      return count > 0;
    });
  }

  /**
   * Checks the password. A wrong password counts as a failed sign-in.
   * @returns the stored hash; undefined if the password is wrong
   */
  async confirmed(userId: string, password: string): Promise<string | undefined> {
    const key = `signed-in:${userId}`;
    await this.limits.consume('sign-in', key);
    const [row] = await rows<{ hash: string }>(
      this.em.fork(),
      `select password_hash as hash from auth_credentials where user_id = ?`,
      [userId],
    );
    if (!(await this.hasher.verify(password, row?.hash, { knownAccount: userId }))) return undefined;
    await this.limits.reset('sign-in', key);
    return row?.hash;
  }
}
