import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import { type ReferralParty, ReferralRefs } from '../auth/index.js';

/** Who sends somebody, and by which invite. */
export interface Referrer extends ReferralParty {
  inviteId: string | null;
}

/** Finds the person behind a code or an invite. */
@Injectable()
export class Referrers {
  constructor(private readonly refs: ReferralRefs) {}

  /** By a kept reference (auth's referralKey); an invite that is used or has run out leads to nobody. Locks the invite for the caller's transaction. */
  async byKey(em: EntityManager, key: string): Promise<Referrer | null> {
    const byCode = await this.refs.ownerOfCode(em, key);
    if (byCode) return { ...byCode, inviteId: null };
    const [invite] = await rows<{ id: string; inviter: string }>(
      em,
      `select id, inviter_user_id as inviter from referral_invites where token = ? and status = 'pending' and expires_at > now() for update`,
      [key],
    );
    const inviter = invite && (await this.refs.party(em, invite.inviter));
    return inviter ? { ...inviter, inviteId: invite.id } : null;
  }
}
