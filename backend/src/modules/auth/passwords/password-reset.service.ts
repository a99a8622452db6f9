import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { AppError } from '../../../shared/errors/app-error.js';
import type { Client } from '../../../shared/http/requests/request-user.js';
import { RateLimits } from '../../../shared/http/rate-limits/rate-limits.service.js';
import { parseAddress } from '../../../shared/mail/address.js';
import { hashToken, isTokenShaped, mintToken } from '../../../shared/tokens/tokens.js';
import { AccountMail, type AccountMailTo } from '../account/account-mail.service.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { resetFailed } from '../auth.errors.js';
import { PasswordChangeFollowUp } from './password-change-follow-up.service.js';
import { PasswordHasher } from '../sign-in/password-hasher.service.js';
import { PasswordRules } from './password-rules.service.js';

/**
 * Minimum response time in milliseconds. It is longer than the work for an existing account, so that timing does not
 * reveal whether there is one.
 */
export const MIN_ANSWER_MS = 250;
const ACCOUNT = `select u.id as "userId", u.email, u.email_norm as "emailNorm"`;

/**
 * Password reset by a mailed link. Only the newest link works, only once, and only within an hour (see decisions.md:
 * password-reset).
 */
@Injectable()
export class PasswordReset {
  private readonly log = new Logger(PasswordReset.name);

  constructor(
    private readonly em: EntityManager,
    private readonly hasher: PasswordHasher,
    private readonly rules: PasswordRules,
    private readonly mail: AccountMail,
    private readonly limits: RateLimits,
    private readonly audit: AuditTrail,
    private readonly consequences: PasswordChangeFollowUp,
  ) {}

  /** Mails a link if the account exists. Neither the answer nor its timing reveals whether it exists. */
  async request(email: string, client: Client): Promise<void> {
    const work = this.mailLink(parseAddress(email)?.norm ?? '', client).catch((error: unknown) => error);
    const [error] = await Promise.all([work, pause(MIN_ANSWER_MS)]);
    if (error instanceof AppError) return;
    if (error) this.log.error({ err: error }, 'a reset link could not be mailed');
  }

  /**
   * Sets a new password, given the token of a mailed link, and signs out every device.
   * @returns the account's id
   * @throws 400 `token_invalid`; 400 for a common password, in which case the link stays valid
   */
  async reset(token: string, password: string, client: Client): Promise<string> {
    const hash = isTokenShaped(token) ? hashToken(token) : '';
    const [held] = await rows<AccountMailTo>(
      this.em.fork(),
      `${ACCOUNT} from auth_credentials c join users u on u.id = c.user_id where c.reset_token = ? and c.reset_token_expires > now()`,
      [hash],
    );
    if (!held) throw resetFailed();
    this.rules.assertUncommon('password', password, held.email);
    const passwordHash = await this.hasher.hash(password, { knownAccount: held.userId });
    await inTransaction(this.em, (em) => this.replace(em, hash, passwordHash, client));
    await this.mail.kick();
    return held.userId;
  }

  private async mailLink(emailNorm: string, client: Client): Promise<void> {
    const [account] = await rows<AccountMailTo>(
      this.em.fork(),
      `${ACCOUNT} from users u where u.email_norm = ? and u.suspended_at is null`,
      [emailNorm],
    );
    if (!account) return;
    await this.limits.consume('account-mail', `reset:${account.userId}`);
    const token = mintToken();
    await inTransaction(this.em, async (em) => {
      if (!(await this.mail.resetLink(em, account, token))) return;
      await changed(
        em,
        `update auth_credentials set reset_token = ?, reset_token_expires = now() + interval '1 hour', updated_at = now() where user_id = ?`,
        [hashToken(token), account.userId],
      );
      await this.audit.record(em, { kind: 'password.reset_requested', userId: account.userId, actorId: null, client });
    });
    await this.mail.kick();
  }

  /** Replaces the password if the token is still valid. Of several concurrent uses, only one finds the token. */
  private async replace(em: EntityManager, hash: string, passwordHash: string, client: Client): Promise<void> {
    const [account] = await rows<AccountMailTo>(
      em,
      `update auth_credentials c set password_hash = ?, reset_token = null, reset_token_expires = null, updated_at = now()
       from users u where u.id = c.user_id and c.reset_token = ? and c.reset_token_expires > now()
       returning u.id as "userId", u.email, u.email_norm as "emailNorm"`,
      [passwordHash, hash],
    );
    if (!account) throw resetFailed();
    await this.consequences.follow(em, 'password.reset', account, client);
  }
}
