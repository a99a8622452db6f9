import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../shared/config/settings.js';
import { rows } from '../../shared/database/rows.js';
import type { RequestUser } from '../../shared/http/index.js';
import { type Address, parseAddress } from '../../shared/mail/address.js';
import { hashMailbox, isSameMailbox } from '../../shared/mail/mailbox.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../shared/tokens/tokens.js';
import { Accounts, ReferralRefs } from '../auth/index.js';
import { AskOptOuts, AskRecords, INVITE_MAIL, OutreachBudget, type OutreachSender } from '../lists/index.js';
import { inviteMail } from './emails/invite.email.js';
import { alreadyInvited, invalidAddress, outreachSpent, ownAddress, tooManyInvites, unverified } from './referrals.errors.js';

const A_DAY = 20;
const VALID_DAYS = 30;

/** Invites by mail: few a day and within the account's budget of mails to strangers, one per mailbox in 30 days, none to those who do not want it. */
@Injectable()
export class Inviting {
  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly outbox: SystemMailOutbox,
    private readonly refs: ReferralRefs,
    private readonly asks: AskRecords,
    private readonly optOuts: AskOptOuts,
    private readonly budget: OutreachBudget,
    private readonly accounts: Accounts,
  ) {}

  /** Notes the invite, and mails it unless the address has an account or may not be mailed: the answer never tells. */
  async invite(user: RequestUser, email: string): Promise<void> {
    if (!user.isVerified) throw unverified();
    const address = parseAddress(email);
    if (!address) throw invalidAddress();
    if (isSameMailbox(address.norm, user.emailNorm)) throw ownAddress();
    const sender = (await this.budget.sendersOf([user.id])).get(user.id);
    if (!sender) throw unverified();
    await this.em.fork().transactional((em) => this.write(em, user, sender, address));
    await this.outbox.kick();
  }

  private async write(em: EntityManager, user: RequestUser, sender: OutreachSender, address: Address): Promise<void> {
    if (!(await this.accounts.holdInGoodStanding(em, [user.id], 'wait')).has(user.id)) throw unverified();
    await this.takeTurns(em, user, address);
    await this.requireRoom(em, user.id);
    const recent = await rows(em, `select 1 from referral_invites where invitee_hash = ? and sent_at > now() - make_interval(days => ${VALID_DAYS})`, [address.hash]);
    if (recent.length > 0) throw alreadyInvited();
    await this.takeOfBudget(em, sender);
    const token = mintToken();
    const [invite] = await rows<{ id: string }>(
      em,
      `insert into referral_invites (inviter_user_id, invitee_email, invitee_hash, token, expires_at)
       values (?, ?, ?, ?, now() + make_interval(days => ${VALID_DAYS})) returning id`,
      [user.id, address.address, address.hash, hashToken(token)],
    );
    if (await this.isWelcome(em, user, address)) await this.mail(em, user, address, invite!.id, token);
  }

  /** Taken whether or not a mail goes: what is left of it must not tell who has an account. */
  private async takeOfBudget(em: EntityManager, sender: OutreachSender): Promise<void> {
    const [granted] = await this.budget.take(em, [{ sender, invites: 1 }]);
    if (granted?.own !== 1) throw outreachSpent(this.budget.opensAt(sender, 'own'));
  }

  /** Counting and writing are one step for each user and each mailbox, however many try at once. Always in this order, so that none wait for each other. */
  private async takeTurns(em: EntityManager, user: RequestUser, address: Address): Promise<void> {
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
    if (day && day.count >= A_DAY) throw tooManyInvites(A_DAY, day.wait);
  }

  /** No account, no suppression, no opt-out, and no invite lately from an account that is gone since. */
  private async isWelcome(em: EntityManager, user: RequestUser, address: Address): Promise<boolean> {
    if (await this.refs.hasAccount(em, address.norm)) return false;
    if (!(await this.asks.mayInvite(em, user.id, address))) return false;
    return (await this.outbox.recentOf(em, INVITE_MAIL, [hashMailbox(address.norm)], VALID_DAYS * 24)).size === 0;
  }

  private async mail(em: EntityManager, user: RequestUser, address: Address, inviteId: string, token: string): Promise<void> {
    const { appUrl, postalAddress } = this.settings;
    const [optOut] = await this.optOuts.mint(em, 'invite', [{ addressHash: address.hash, mailboxHash: hashMailbox(address.norm) }]);
    const content = inviteMail({
      url: `${appUrl}/invite/${token}`,
      optOutUrl: optOut!.url,
      inviter: { name: `${user.firstName} ${user.lastName}`, email: user.email, agencyName: user.agencyName },
      postalAddress,
    });
    await this.outbox.enqueue(em, { kind: INVITE_MAIL, to: address.address, recipientHash: address.hash, subjectId: inviteId, priority: 'unasked', oneClickUrl: optOut!.url, content });
  }
}
