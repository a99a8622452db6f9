import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';

/** The account that a code or an id names. */
export interface ReferralParty {
  id: string;
  emailNorm: string;
  name: string;
}

const PARTY = `select id, email_norm as "emailNorm", first_name || ' ' || last_name as name from users`;

/** What new accounts said about who sent them: it waits on the users row, so that no crash between commit and event loses it. */
@Injectable()
export class ReferralRefs {
  /** Accounts whose references nobody has taken yet, oldest first. */
  async waiting(em: EntityManager, limit: number): Promise<string[]> {
    const found = await rows<{ id: string }>(em, `select id from users where referral_refs is not null order by created_at limit ?`, [limit]);
    return found.map((row) => row.id);
  }

  /** Takes an account's references within the caller's transaction: of several takers one gets them, the others null. */
  async take(em: EntityManager, userId: string): Promise<string[] | null> {
    const [row] = await rows<{ referral_refs: string[] }>(em, `select referral_refs from users where id = ? and referral_refs is not null for update`, [userId]);
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

  /** Whether an address has an account. */
  async hasAccount(em: EntityManager, emailNorm: string): Promise<boolean> {
    return (await rows(em, `select 1 from users where email_norm = ?`, [emailNorm])).length > 0;
  }
}
