import { SYSTEM_MAIL_PRIORITY } from '../../../shared/mail/system-mail/system-mail.entity.js';
import { IN_FORCE } from '../unsubscribe/suppression-sql.js';

/** SQL condition: address `w.hash` of mailbox `w.mailbox` refuses unrequested mail from everyone, or does not exist. */
export const REFUSES_ALL = `(
  exists (select 1 from suppressions s where ${IN_FORCE}
          and ((s.address_hash = w.hash and (s.scope = 'all' or s.reason <> 'unsubscribed'))
            or (s.mailbox_hash = w.mailbox and ((s.scope = 'all' and s.reason <> 'bounced') or s.reason = 'complained'))))
  or exists (select 1 from referral_opt_outs o where o.opted_out_at is not null and (o.mailbox_hash = w.mailbox or o.address_hash = w.hash)))`;

/**
 * SQL condition: the person unsubscribed from owner `w.owner`, or from the default list.
 * @param network SQL condition: whether unsubscribing from the default list counts
 * @param counts SQL condition on the suppression `s`: whether it counts
 */
export const hasLeft = (network: string, counts = 'true'): string => `
  exists (select 1 from suppressions s where ${IN_FORCE} and (s.address_hash = w.hash or s.mailbox_hash = w.mailbox)
          and ((s.scope = 'owner' and s.owner_id = w.owner) or (s.scope = 'network' and ${network})) and ${counts})`;

/** SQL condition: the person at address `w.hash` of mailbox `w.mailbox` refuses unrequested mail from account `w.owner`. */
export const REFUSES_UNREQUESTED_MAIL = `(${REFUSES_ALL} or ${hasLeft('true')})`;

/**
 * SQL condition: the recipient of system mail `m` refuses confirmation mails of list `l`. A request through a public
 * page (see the mail's priority) may follow an unsubscribe, so that only a later unsubscribe takes it back. A second
 * unsubscribe from the same sender adds no suppression; by a link of this list, it marks the contact
 * (`UnsubscribeService`), and the link in the confirmation mail no longer works.
 */
export const REFUSES_CONFIRMATION_MAIL = `(
  exists (
    select 1 from (select m.recipient_hash as hash, m.recipient_mailbox as mailbox, l.owner_id as owner) w
    where ${REFUSES_ALL} or ${hasLeft('w.owner is null', `(m.priority = ${SYSTEM_MAIL_PRIORITY.unasked} or s.created_at > m.created_at)`)})
  or exists (select 1 from subscriptions c where c.email_list_id = l.id and c.email_hash = m.recipient_hash and c.unsubscribed_at > m.created_at))`;

/**
 * SQL condition: the recipient of system mail `m` refuses unrequested mail from an account, such as an invite.
 * @param owner SQL of the account's id
 */
export const refusesUnrequestedMailSql = (owner: string): string => `exists (
  select 1 from (select m.recipient_hash as hash, m.recipient_mailbox as mailbox, ${owner} as owner) w where ${REFUSES_UNREQUESTED_MAIL})`;
