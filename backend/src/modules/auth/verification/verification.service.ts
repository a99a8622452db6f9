import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { EventBus } from '../../../shared/events/event-bus.js';
import type { Client, RequestUser } from '../../../shared/http/requests/request-user.js';
import { RateLimits } from '../../../shared/http/rate-limits/rate-limits.service.js';
import { hashToken, isTokenShaped } from '../../../shared/tokens/tokens.js';
import { AuditTrail } from '../audit/audit-trail.service.js';
import { notMeLinkInvalid, mailboxFull, verificationFailed } from '../auth.errors.js';
import { VerificationMail } from './verification-mail.service.js';

/** Result of a verification link: whether it was used for the first time. */
export type Verified = { userId: string; first: true } | { first: false };

/**
 * Verifies addresses by a mailed link or on behalf of an admin, and removes accounts that were registered with a
 * stranger's address.
 */
@Injectable()
export class Verification {
  constructor(
    private readonly em: EntityManager,
    private readonly mail: VerificationMail,
    private readonly limits: RateLimits,
    private readonly events: EventBus,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Uses a mailed token. Of several concurrent uses, only one is the first.
   * @throws 400 `token_invalid`
   */
  async verify(token: string, client: Client): Promise<Verified> {
    if (!isTokenShaped(token)) throw verificationFailed();
    const hash = hashToken(token);
    const userId = await inTransaction(this.em, async (em) => {
      const [row] = await rows<{ user_id: string }>(
        em,
        `update auth_credentials set is_verified = true, verified_at = now(), disown_token = null, updated_at = now()
         where verification_token = ? and not is_verified and verification_token_expires > now() returning user_id`,
        [hash],
      );
      if (row) await this.audit.record(em, { kind: 'account.verified', userId: row.user_id, client });
      return row?.user_id;
    });
    if (userId) {
      await this.events.emit('user.verified', { userId });
      return { userId, first: true };
    }
    const [done] = await rows(
      this.em.fork(),
      `select 1 from auth_credentials where verification_token = ? and is_verified`,
      [hash],
    );
    if (!done) throw verificationFailed();
    return { first: false };
  }

  /**
   * Verifies an account on behalf of an admin.
   * @returns false if it was already verified
   */
  async markVerified(
    userId: string,
    by: { actorId: string | null; client: Client | null; reason?: string | null },
  ): Promise<boolean> {
    const isChanged = await inTransaction(this.em, async (em) => {
      const count = await changed(
        em,
        `update auth_credentials set is_verified = true, verified_at = now(), disown_token = null, updated_at = now() where user_id = ? and not is_verified`,
        [userId],
      );
      if (count > 0) await this.audit.record(em, { kind: 'account.verified', userId, ...by });
      return count > 0;
    });
    if (isChanged) await this.events.emit('user.verified', { userId });
    return isChanged;
  }

  /**
   * Deletes the unverified account with all its data ("This wasn't me").
   * @throws 400 `token_invalid`
   */
  async disown(token: string): Promise<void> {
    if (!isTokenShaped(token)) throw notMeLinkInvalid();
    await inTransaction(this.em, async (em) => {
      const [account] = await rows<{ userId: string; email: string; emailNorm: string }>(
        em,
        `select u.id as "userId", u.email, u.email_norm as "emailNorm" from users u join auth_credentials c on c.user_id = u.id
         where c.disown_token = ? and not c.is_verified for update`,
        [hashToken(token)],
      );
      if (!account) throw notMeLinkInvalid();
      await this.audit.record(em, {
        kind: 'account.deleted',
        userId: account.userId,
        actorId: null,
        reason: 'Disowned by the address it was registered with',
      });
      await this.audit.pseudonymise(em, account);
      await changed(em, `delete from users where id = ?`, [account.userId]);
    });
  }

  /**
   * Mails a new link, which invalidates the previous one.
   * @returns false if the address is already verified
   * @throws 429
   */
  async resend(user: RequestUser): Promise<boolean> {
    if (user.isVerified) return false;
    await this.limits.consume('account-mail', user.id);
    const wait = await inTransaction(this.em, (em) => this.mail.enqueue(em, { ...user, userId: user.id }));
    if (wait > 0) throw mailboxFull(wait);
    await this.mail.kick();
    return true;
  }
}
