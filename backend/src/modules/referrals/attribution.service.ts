import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../shared/database/rows.js';
import { OnAppEvent } from '../../shared/events/event-bus.js';
import { hashAddress } from '../../shared/mail/address.js';
import { type ReferralParty, ReferralRefs } from '../auth/index.js';
import { isSameMailbox } from '../../shared/mail/mailbox.js';
import { type Referrer, Referrers } from './referrers.service.js';

/** Turns what a new account said about who sent it into a `signup` conversion: once, whoever gets to it first. */
@Injectable()
export class Attribution {
  constructor(private readonly em: EntityManager, private readonly refs: ReferralRefs, private readonly referrers: Referrers) {}

  @OnAppEvent('user.registered')
  async onRegistered({ userId }: { userId: string }): Promise<void> {
    await this.em.fork().transactional((em) => this.settle(em, userId));
  }

  /** Accounts that an event missed. @returns how many were looked at */
  async catchUp(limit = 200): Promise<number> {
    const waiting = await this.refs.waiting(this.em.fork(), limit);
    for (const userId of waiting) await this.onRegistered({ userId });
    return waiting.length;
  }

  /** Within the caller's transaction; finds nothing to do the second time. */
  async settle(em: EntityManager, userId: string): Promise<void> {
    const keys = await this.refs.take(em, userId);
    const referred = keys && (await this.refs.party(em, userId));
    if (!referred) return;
    for (const key of keys) {
      const referrer = await this.referrers.byKey(em, key);
      if (referrer && !isSamePerson(referrer, referred)) return this.convert(em, referrer, referred);
    }
  }

  /** Someone who was invited by mail and came by the link instead has accepted that invite as well. */
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

const isSamePerson = (a: ReferralParty, b: ReferralParty): boolean => a.id === b.id || isSameMailbox(a.emailNorm, b.emailNorm);
