import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { type ReferralParty, PendingReferrals } from '../auth/index.js';

/** A referrer, with the invite if a person came through one. */
export interface Referrer extends ReferralParty {
  inviteId: string | null;
}

/** Finds the referrer to whom a code or an invite belongs. */
@Injectable()
export class Referrers {
  constructor(private readonly pendingReferrals: PendingReferrals) {}

  /**
   * Finds a referrer by a stored reference (auth's referralKey). Locks the invite for the caller's transaction.
   * @returns null for an unknown code, and for a used or expired invite
   */
  async byKey(em: EntityManager, key: string): Promise<Referrer | null> {
    const byCode = await this.pendingReferrals.ownerOfCode(em, key);
    if (byCode) return { ...byCode, inviteId: null };
    const [invite] = await rows<{ id: string; inviter: string }>(
      em,
      `select id, inviter_user_id as inviter from referral_invites where token = ? and status = 'pending' and expires_at > now() for update`,
      [key],
    );
    const inviter = invite && (await this.pendingReferrals.party(em, invite.inviter));
    return inviter ? { ...inviter, inviteId: invite.id } : null;
  }
}
