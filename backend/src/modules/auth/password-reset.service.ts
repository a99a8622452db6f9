import { setTimeout as pause } from 'node:timers/promises';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { AppError } from '../../shared/errors/app-error.js';
import type { Client } from '../../shared/http/client-of.js';
import { RateLimits } from '../../shared/http/rate-limits.service.js';
import { parseAddress } from '../../shared/mail/address.js';
import { hashToken, isTokenShaped, mintToken } from '../../shared/tokens/tokens.js';
import { AccountMail, type AccountMailTo } from './account-mail.service.js';
import { AuditTrail } from './audit-trail.service.js';
import { resetFailed } from './auth.errors.js';
import { PasswordConsequences } from './password-consequences.service.js';
import { PasswordHasher } from './password-hasher.service.js';
import { PasswordRules } from './password-rules.service.js';

/** Every answer takes this long: longer than the work, which only a known address makes. */
const ANSWER_MS = 250;
const ACCOUNT = `select u.id as "userId", u.email, u.email_norm as "emailNorm"`;

/** Back in after a forgotten password: the newest mailed link alone counts, once, for an hour (decisions.md D5, D7). */
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
    private readonly consequences: PasswordConsequences,
  ) {}

  /** Mails a link where there is an account; nobody can tell from the answer or its time. */
  async request(email: string, client: Client): Promise<void> {
    const work = this.mailLink(parseAddress(email)?.norm ?? '', client).catch((error: unknown) => error);
    const [error] = await Promise.all([work, pause(ANSWER_MS)]);
    if (error instanceof AppError) return;
    if (error) this.log.error({ err: error }, 'a reset link could not be mailed');
  }

  /** Sets the password by a mailed token and signs every device out. @returns the account's id @throws 400 `token_invalid`, or for a common password: the link goes on working */
  async reset(token: string, password: string, client: Client): Promise<string> {
    const hash = isTokenShaped(token) ? hashToken(token) : '';
    const [held] = await rows<AccountMailTo>(
      this.em.fork(), `${ACCOUNT} from auth_credentials c join users u on u.id = c.user_id where c.reset_token = ? and c.reset_token_expires > now()`, [hash],
    );
    if (!held) throw resetFailed();
    this.rules.assertUncommon('password', password, held.email);
    const passwordHash = await this.hasher.hash(password, { knownAccount: held.userId });
    await this.em.fork().transactional((em) => this.replace(em, hash, passwordHash, client));
    await this.mail.kick();
    return held.userId;
  }

  private async mailLink(emailNorm: string, client: Client): Promise<void> {
    const [account] = await rows<AccountMailTo>(this.em.fork(), `${ACCOUNT} from users u where u.email_norm = ? and u.suspended_at is null`, [emailNorm]);
    if (!account) return;
    await this.limits.consume('account-mail', `reset:${account.userId}`);
    const token = mintToken();
    await this.em.fork().transactional(async (em) => {
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

  /** Of several uses at once one finds the token still there. */
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
