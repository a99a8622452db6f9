import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../../shared/tokens/tokens.js';
import { PRODUCT_NAME } from '../../../shared/enums.js';
import { SignedValues } from '../sessions/signed-values.js';
import { UnverifiedMailLimit } from './unverified-mail-limit.service.js';

/** The account to verify, with the address that receives the mail. */
export interface VerificationMailTo {
  userId: string;
  email: string;
  emailNorm: string;
}

const VALID_HOURS = 24;

/**
 * Verification mail. Only the link of the newest mail works. Each mail also has a "This wasn't me" link, which removes
 * the account. The mail contains nothing that was typed at registration except the address, because the address may be
 * a stranger's.
 */
@Injectable()
export class VerificationMail {
  private readonly signed: SignedValues;

  constructor(
    private readonly settings: Settings,
    private readonly outbox: SystemMailOutbox,
    private readonly unverifiedMail: UnverifiedMailLimit,
  ) {
    this.signed = new SignedValues(settings, 'disown-link', 'disown');
  }

  /**
   * Enqueues a mail in the caller's transaction. Call `kick` after the commit.
   * @returns 0 if a mail was enqueued. Else the seconds to wait, because the mailbox has reached its limit; the
   * previous link then stays valid.
   */
  async enqueue(em: EntityManager, to: VerificationMailTo): Promise<number> {
    const wait = await this.unverifiedMail.waitSeconds(em, to.emailNorm);
    if (wait > 0) return wait;
    const token = mintToken();
    const disownToken = await this.disownToken(em, to.userId);
    await changed(
      em,
      `update auth_credentials set verification_token = ?, verification_token_expires = now() + make_interval(hours => ?::int),
         disown_token = ?, updated_at = now() where user_id = ?`,
      [hashToken(token), VALID_HOURS, hashToken(disownToken), to.userId],
    );
    await this.outbox.enqueue(em, {
      kind: 'auth.verify',
      to: to.email,
      recipientHash: hashAddress(to.emailNorm),
      subjectId: to.userId,
      content: this.content(to, token, disownToken),
    });
    return 0;
  }

  kick(): Promise<void> {
    return this.outbox.kick();
  }

  /**
   * Token of the "This wasn't me" link. It is derived from the user's id and not random, so that the link of every
   * earlier mail works, too, even after a rotation of the secret.
   */
  private async disownToken(em: EntityManager, userId: string): Promise<string> {
    const [mailed] = await rows<{ hash: string | null }>(
      em,
      `select disown_token as hash from auth_credentials where user_id = ?`,
      [userId],
    );
    return this.signed.digests(userId).find((token) => hashToken(token) === mailed?.hash) ?? this.signed.digest(userId);
  }

  private content(to: VerificationMailTo, token: string, disownToken: string) {
    return {
      subject: `Verify your email for ${PRODUCT_NAME}`,
      heading: `Welcome to ${PRODUCT_NAME}`,
      paragraphs: [
        `An account was registered with this address, ${to.email}.`,
        'If that was you, verify the address to start sending. The link works once, for 24 hours.',
      ],
      action: { label: 'Verify email', url: `${this.settings.appUrl}/verify-email?token=${token}` },
      after: ['If you did not register, the link below removes the account.'],
      secondary: [{ label: "This wasn't me", url: `${this.settings.appUrl}/not-me?token=${disownToken}` }],
    };
  }
}
