import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { inTransaction, rows } from '../../shared/database/queries/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import { type Address, parseAddress, hashMailbox, isSameMailbox } from '../../shared/mail/address.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../shared/tokens/tokens.js';
import { Accounts, PendingReferrals } from '../auth/index.js';
import { AskOptOuts, AskRecords, INVITE_MAIL, OutreachBudget, type OutreachSender } from '../lists/index.js';
import { inviteMail } from './invite.email.js';
import {
  alreadyInvited,
  invalidAddress,
  outreachSpent,
  ownAddress,
  tooManyInvites,
  unverified,
} from './referrals.errors.js';

const MAX_INVITES_PER_DAY = 20;
const VALID_DAYS = 30;

/**
 * Sends invites within a daily limit and the account's outreach budget: one per mailbox in 30 days, and none to people
 * who opted out.
 */
@Injectable()
export class InviteService {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly outbox: SystemMailOutbox,
    private readonly pendingReferrals: PendingReferrals,
    private readonly asks: AskRecords,
    private readonly optOuts: AskOptOuts,
    private readonly budget: OutreachBudget,
    private readonly accounts: Accounts,
  ) {}

  /**
   * Stores the invite, and mails it unless the address has an account or may not be mailed. The caller gets the same
   * answer either way.
   */
  async invite(user: RequestUser, email: string): Promise<void> {
    if (!user.isVerified) throw unverified();
    const address = parseAddress(email);
    if (!address) throw invalidAddress();
    if (isSameMailbox(address.norm, user.emailNorm)) throw ownAddress();
    const sender = (await this.budget.sendersOf([user.id])).get(user.id);
    if (!sender) throw unverified();
    await inTransaction(this.em, (em) => this.write(em, user, sender, address));
    await this.outbox.kick();
  }

  private async write(em: EntityManager, user: RequestUser, sender: OutreachSender, address: Address): Promise<void> {
    if (!(await this.accounts.holdInGoodStanding(em, [user.id], 'wait')).has(user.id)) throw unverified();
    await this.lock(em, user, address);
    await this.requireRoom(em, user.id);
    const recent = await rows(
      em,
      `select 1 from referral_invites where invitee_hash = ? and sent_at > now() - make_interval(days => ${VALID_DAYS})`,
      [address.hash],
    );
    if (recent.length > 0) throw alreadyInvited();
    await this.takeFromBudget(em, sender);
    const token = mintToken();
    const [invite] = await rows<{ id: string }>(
      em,
      `insert into referral_invites (inviter_user_id, invitee_email, invitee_hash, token, expires_at)
       values (?, ?, ?, ?, now() + make_interval(days => ${VALID_DAYS})) returning id`,
      [user.id, address.address, address.hash, hashToken(token)],
    );
    if (await this.mayBeInvited(em, user, address)) await this.mail(em, user, address, invite!.id, token);
  }

  /**
   * Takes one mail from the outreach budget, whether or not a mail is sent: the remaining budget must not reveal who
   * has an account.
   */
  private async takeFromBudget(em: EntityManager, sender: OutreachSender): Promise<void> {
    const [granted] = await this.budget.take(em, [{ sender, invites: 1 }]);
    if (granted?.own !== 1) throw outreachSpent(this.budget.opensAt(sender, 'own'));
  }

  /**
   * Serialises invites per user and per mailbox, so that limits hold for concurrent calls. Always locks in this order,
   * to avoid deadlocks.
   */
  private async lock(em: EntityManager, user: RequestUser, address: Address): Promise<void> {
    for (const key of [`user:${user.id}`, `mailbox:${hashMailbox(address.norm).toString('hex')}`]) {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('referrals.invite.' || ?::text, 0))`, [key]);
    }
  }

  private async requireRoom(em: EntityManager, userId: string): Promise<void> {
    const [day] = await rows<{ count: number; wait: number }>(
      em,
      `select count(*)::int as count, coalesce(ceil(extract(epoch from min(sent_at) + interval '1 day' - now())), 0)::int as wait
       from referral_invites where inviter_user_id = ? and sent_at > now() - interval '1 day'`,
      [userId],
    );
    if (day && day.count >= MAX_INVITES_PER_DAY) throw tooManyInvites(MAX_INVITES_PER_DAY, day.wait);
  }

  /**
   * Whether the address may be invited.
   * @returns false if the address has an account or refuses invites, or if its mailbox got an invite within 30 days (to
   * an alias, or from an account that was deleted since)
   */
  private async mayBeInvited(em: EntityManager, user: RequestUser, address: Address): Promise<boolean> {
    if (await this.pendingReferrals.hasAccount(em, address.norm)) return false;
    if (!(await this.asks.mayInvite(em, user.id, address))) return false;
    return (await this.outbox.recentOf(em, INVITE_MAIL, [hashMailbox(address.norm)], VALID_DAYS * 24)).size === 0;
  }

  private async mail(
    em: EntityManager,
    user: RequestUser,
    address: Address,
    inviteId: string,
    token: string,
  ): Promise<void> {
    const { appUrl, postalAddress } = this.settings;
    const [optOut] = await this.optOuts.mint(em, 'invite', [
      { addressHash: address.hash, mailboxHash: hashMailbox(address.norm) },
    ]);
    const content = inviteMail({
      url: `${appUrl}/invite/${token}`,
      optOutUrl: optOut!.url,
      inviter: { name: `${user.firstName} ${user.lastName}`, email: user.email, agencyName: user.agencyName },
      postalAddress,
    });
    await this.outbox.enqueue(em, {
      kind: INVITE_MAIL,
      to: address.address,
      recipientHash: address.hash,
      subjectId: inviteId,
      priority: 'unasked',
      oneClickUrl: optOut!.url,
      content,
    });
  }
}
