import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { hashAddress, isSameMailbox } from '../../shared/mail/address.js';
import { type ReferralParty, PendingReferrals } from '../auth/index.js';
import { type Referrer, Referrers } from './referrers.service.js';

/** Turns a new account's referral reference into one `signup` conversion, even if several callers try at once. */
@Injectable()
export class Attribution {
  constructor(
    private readonly em: EntityManager,
    private readonly pendingReferrals: PendingReferrals,
    private readonly referrers: Referrers,
  ) {}

  @OnAppEvent('user.registered')
  async onRegistered({ userId }: { userId: string }): Promise<void> {
    await inTransaction(this.em, (em) => this.settle(em, userId));
  }

  /** Processes accounts whose event was lost. @returns number of accounts checked */
  async catchUp(limit = 200): Promise<number> {
    const waiting = await this.pendingReferrals.waiting(this.em.fork(), limit);
    for (const userId of waiting) await this.onRegistered({ userId });
    return waiting.length;
  }

  /** Creates the conversion of one account, if it was referred; runs in the caller's transaction; idempotent. */
  async settle(em: EntityManager, userId: string): Promise<void> {
    const keys = await this.pendingReferrals.take(em, userId);
    const referred = keys && (await this.pendingReferrals.party(em, userId));
    if (!referred) return;
    for (const key of keys) {
      const referrer = await this.referrers.byKey(em, key);
      if (referrer && !isSamePerson(referrer, referred)) return this.convert(em, referrer, referred);
    }
  }

  /**
   * Writes the conversion. A person who was invited by mail but registered through a link has accepted the invite as
   * well.
   */
  private async convert(em: EntityManager, referrer: Referrer, referred: ReferralParty): Promise<void> {
    const [invite] = await rows<{ id: string }>(
      em,
      `update referral_invites set status = 'accepted', accepted_at = now() where id in (
         select id from referral_invites
         where inviter_user_id = ? and status = 'pending' and expires_at > now() and (id = ?::uuid or (?::uuid is null and invitee_hash = ?))
         order by sent_at desc limit 1 for update)
       returning id`,
      [referrer.id, referrer.inviteId, referrer.inviteId, hashAddress(referred.emailNorm)],
    );
    await changed(
      em,
      `insert into referral_conversions (referrer_user_id, invite_id, referred_user_id, conversion_type) values (?, ?, ?, 'signup')
       on conflict (referred_user_id, conversion_type) do nothing`,
      [referrer.id, invite?.id ?? null, referred.id],
    );
  }
}

const isSamePerson = (a: ReferralParty, b: ReferralParty): boolean =>
  a.id === b.id || isSameMailbox(a.emailNorm, b.emailNorm);
