import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { randomInt } from 'node:crypto';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { hashToken, isTokenShaped } from '../../../shared/tokens/tokens.js';

/** The account that a referral code or id belongs to. */
export interface ReferralParty {
  id: string;
  emailNorm: string;
  name: string;
}

const PARTY = `select id, email_norm as "emailNorm", first_name || ' ' || last_name as name from users`;

/**
 * Referral references of new accounts. They are kept on the users row, so that a crash between commit and event does
 * not lose them.
 */
@Injectable()
export class PendingReferrals {
  /** Ids of accounts with unprocessed references, oldest account first. */
  async waiting(em: EntityManager, limit: number): Promise<string[]> {
    const found = await rows<{ id: string }>(
      em,
      `select id from users where referral_refs is not null order by created_at limit ?`,
      [limit],
    );
    return found.map((row) => row.id);
  }

  /**
   * Takes an account's references within the caller's transaction. Of several concurrent callers, only one gets them.
   * @returns null if the account has no unprocessed references
   */
  async take(em: EntityManager, userId: string): Promise<string[] | null> {
    const [row] = await rows<{ referral_refs: string[] }>(
      em,
      `select referral_refs from users where id = ? and referral_refs is not null for update`,
      [userId],
    );
    if (!row) return null;
    await changed(em, `update users set referral_refs = null where id = ?`, [userId]);
    return row.referral_refs;
  }

  async ownerOfCode(em: EntityManager, code: string): Promise<ReferralParty | null> {
    return (await rows<ReferralParty>(em, `${PARTY} where referral_code = ?`, [code]))[0] ?? null;
  }

  async party(em: EntityManager, id: string): Promise<ReferralParty | null> {
    return (await rows<ReferralParty>(em, `${PARTY} where id = ?`, [id]))[0] ?? null;
  }

  async codeOf(em: EntityManager, id: string): Promise<string> {
    const [row] = await rows<{ code: string }>(em, `select referral_code as code from users where id = ?`, [id]);
    return row?.code ?? '';
  }

  /** Whether an account with this address exists. */
  async hasAccount(em: EntityManager, emailNorm: string): Promise<boolean> {
    return (await rows(em, `select 1 from users where email_norm = ?`, [emailNorm])).length > 0;
  }
}

/** Letters and digits of referral codes. Omits characters that are easily confused. */
const ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';
const LENGTH = 10;
const CODE = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`);

/** Creates a user's code for /invite/{code}: 50 random bits. */
export const mintReferralCode = (): string =>
  Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');

/**
 * Stored form of a referral reference: a user's code, or the hash of an invite's token.
 * @returns null for any other value
 */
export function referralKey(ref: unknown): string | null {
  if (isTokenShaped(ref)) return hashToken(ref);
  const code = typeof ref === 'string' ? ref.trim().toUpperCase() : '';
  return CODE.test(code) ? code : null;
}
