import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/rows.js';
import { hashMailbox } from '../../../shared/mail/mailbox.js';
import { type RecentMail, SystemMailOutbox } from '../../../shared/mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../../shared/tokens/tokens.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { Accounts } from '../../auth/index.js';
import { recordConsent } from '../consent-log.js';
import { optInMail } from '../emails/opt-in.email.js';
import type { ContactSource } from '../entities/contact.entity.js';
import { EmailList } from '../entities/email-list.entity.js';
import { AskOptOuts } from '../outreach/ask-opt-outs.service.js';
import { type AskFacts, type Asking, AskRecords, MOST_OWN_ASKS } from '../outreach/ask-records.service.js';
import { OPT_IN_MAIL } from '../outreach/mail-kinds.js';
import { OutreachBudget, type OutreachSender } from '../outreach/outreach-budget.service.js';
import { type BatchShare, isVisitors } from './opt-in-shares.js';
import { notBefore, notBeforeOfOwner, type OwnersAsks } from './opt-in-throttle.js';

interface Due extends Asking {
  email: string;
  emailNorm: string;
  source: ContactSource;
  type: ContactType;
}

/** What becomes of a due contact: its mail goes, waits until a time, or is not sent at all. */
interface Verdict {
  due: Due;
  what: 'send' | 'wait' | 'drop';
  until?: Date;
  afterLeaving?: boolean;
}

/** Settles a batch of due confirmation mails in one transaction. */
@Injectable()
export class OptInBatch {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly budget: OutreachBudget,
    private readonly asks: AskRecords,
    private readonly optOuts: AskOptOuts,
    private readonly accounts: Accounts,
    private readonly settings: Settings,
  ) {}

  /**
   * @param senders as they were read before; an owner suspended or closed since then sends nothing
   * @returns how many contacts were dealt with; those that the budget has no room for stay as they are
   */
  settle(shares: readonly BatchShare[], senders: ReadonlyMap<string, OutreachSender>): Promise<number> {
    return this.em.fork().transactional(async (em) => {
      const inGoodStanding = await this.accounts.holdInGoodStanding(em, [...new Set(shares.flatMap(({ ownerId }) => ownerId ?? []))], 'skip');
      const found = await rows<DueRow>(em, FIND_DUE, [JSON.stringify(shares.filter(({ ownerId }) => ownerId === null || inGoodStanding.has(ownerId)))]);
      const due = found.map((row) => asDue(row, senders));
      const verdicts = await this.judge(em, due);
      const sends = await this.within(em, verdicts.filter(({ what }) => what === 'send'), senders);
      await this.write(em, sends, verdicts.filter(({ what }) => what !== 'send'), senders);
      return sends.length + verdicts.filter(({ what }) => what !== 'send').length;
    });
  }

  private async judge(em: EntityManager, due: readonly Due[]): Promise<Verdict[]> {
    const recent = await this.outbox.recentOf(em, OPT_IN_MAIL, due.map(({ recipient }) => recipient), 24);
    const facts = await this.asks.factsOf(em, due);
    const now = new Date();
    const [asked, returned] = [new Map<string, number>(), new Set<string>()];
    const byOwner = new Map<string, OwnersAsks>();
    return due.map((contact): Verdict => {
      const mailbox = contact.recipient.toString('hex');
      const mails: RecentMail[] = recent.get(mailbox) ?? [];
      const fact = facts.get(contact.contactId)!;
      const key = `${mailbox} ${contact.emailListId}`;
      if (!mayAsk(contact, { ...fact, ownAsks: fact.ownAsks + (asked.get(key) ?? 0), askedSinceLeaving: fact.askedSinceLeaving || returned.has(mailbox) })) return { due: contact, what: 'drop' };
      const ownerKey = `${mailbox} ${contact.sender?.toString('hex') ?? ''}`;
      const ownersAsks = byOwner.get(ownerKey) ?? ownersAsksOf(fact);
      const until = latest(notBefore(mails, contact.emailListId, now), notBeforeOfOwner(ownersAsks, isVisitors(contact), now));
      if (until) return { due: contact, what: 'wait', until };
      recent.set(mailbox, [{ subjectId: contact.emailListId, createdAt: now }, ...mails]);
      byOwner.set(ownerKey, { own: isVisitors(contact) ? ownersAsks.own : [now, ...ownersAsks.own], all: [now, ...ownersAsks.all] });
      if (!isVisitors(contact)) asked.set(key, (asked.get(key) ?? 0) + 1);
      if (fact.hasLeft) returned.add(mailbox);
      return { due: contact, what: 'send', afterLeaving: fact.hasLeft };
    });
  }

  /** As many of each sender's mails as the day's budget grants, visitors' first. */
  private async within(em: EntityManager, sends: readonly Verdict[], senders: ReadonlyMap<string, OutreachSender>): Promise<Verdict[]> {
    const byMailbox = new Map<string, { sender: OutreachSender; own: Verdict[]; visitors: Verdict[] }>();
    for (const send of sends) {
      const sender = send.due.ownerId ? senders.get(send.due.ownerId) : undefined;
      if (!sender) continue;
      const key = sender.mailbox.toString('hex');
      const group = byMailbox.get(key) ?? { sender, own: [], visitors: [] };
      // Of the accounts of one mailbox the one with the larger budget decides.
      if (sender.budget.total > group.sender.budget.total) group.sender = sender;
      (isVisitors(send.due) ? group.visitors : group.own).push(send);
      byMailbox.set(key, group);
    }
    const groups = [...byMailbox.values()];
    const grants = await this.budget.take(em, groups.map(({ sender, own, visitors }) => ({ sender, own: own.length, visitors: visitors.length })));
    const granted = groups.flatMap(({ own, visitors }, at) => [...visitors.slice(0, grants[at]!.visitors), ...own.slice(0, grants[at]!.own)]);
    return [...sends.filter(({ due }) => due.ownerId === null), ...granted];
  }

  private async write(em: EntityManager, sends: readonly Verdict[], others: readonly Verdict[], senders: ReadonlyMap<string, OutreachSender>): Promise<void> {
    const tokens = sends.map(() => mintToken());
    const mailIds = await this.enqueue(em, sends.map(({ due }) => due), tokens, senders);
    await this.asks.record(em, sends.map(({ due: { emailListId, sender, recipient, source }, afterLeaving = false }, at) => ({
      id: mailIds[at]!, emailListId, sender, recipient, path: source === 'public' ? 'public' : 'own', afterLeaving,
    })));
    await recordConsent(em, ...sends.filter(({ due }) => !isVisitors(due)).map(({ due }) => ({
      kind: 'requested' as const, how: due.source, addressHash: due.emailHash, addressNorm: due.emailNorm, contactId: due.contactId, emailListId: due.emailListId, ownerId: due.ownerId,
    })));
    const settled = [
      ...sends.map(({ due, what }, at) => ({ id: due.contactId, what, token: hashToken(tokens[at]!) })),
      ...others.map(({ due, what, until }) => ({ id: due.contactId, what, until: until?.toISOString() })),
    ];
    // Last: it locks the lists' counters.
    if (settled.length > 0) await rows(em, SETTLE, [JSON.stringify(settled)]);
  }

  private async enqueue(em: EntityManager, due: readonly Due[], tokens: readonly string[], senders: ReadonlyMap<string, OutreachSender>): Promise<string[]> {
    if (due.length === 0) return [];
    const { appUrl, postalAddress } = this.settings;
    const found = await em.find(EmailList, { id: { $in: [...new Set(due.map(({ emailListId }) => emailListId))] } });
    const lists = new Map(found.map((list) => [list.id, list]));
    const links = await this.optOuts.mint(em, 'opt-in', due.map(({ emailHash, recipient }) => ({ addressHash: emailHash, mailboxHash: recipient })));
    return this.outbox.enqueueAll(em, due.map((contact, at) => {
      const list = lists.get(contact.emailListId)!;
      const account = contact.ownerId ? senders.get(contact.ownerId)!.account : null;
      return {
        kind: OPT_IN_MAIL, to: contact.email, recipientHash: contact.emailHash, subjectId: contact.emailListId, oneClickUrl: links[at]!.url,
        priority: isVisitors(contact) ? 'requested' : 'unasked',
        content: optInMail({
          url: `${appUrl}/subscribe/confirmed?token=${tokens[at]!}`, neverAskUrl: links[at]!.url, account, source: contact.source, type: contact.type, postalAddress,
          list: { name: list.name, ownerName: list.ownerName ?? null, agencyName: list.agencyName ?? account?.agencyName ?? null },
        }),
      };
    }));
  }
}

const ownersAsksOf = ({ lately }: AskFacts): OwnersAsks => ({ own: lately.filter(({ path }) => path === 'own').map(({ at }) => new Date(at)), all: lately.map(({ at }) => new Date(at)) });

const latest = (...times: (Date | null)[]): Date | null => times.reduce((later, time) => (time && (!later || time > later) ? time : later), null);

/** Whether a person may be asked at all; who came by a page asked for it, but not always themselves. */
function mayAsk(due: Due, { refusesAll, hasLeft, askedSinceLeaving, ownAsks }: AskFacts): boolean {
  if (refusesAll) return false;
  return isVisitors(due) ? !(hasLeft && askedSinceLeaving) : !hasLeft && ownAsks < MOST_OWN_ASKS;
}

interface DueRow {
  contactId: string;
  email: string;
  emailNorm: string;
  emailHash: Buffer;
  emailListId: string;
  ownerId: string | null;
  source: ContactSource;
  type: ContactType;
}

function asDue(row: DueRow, senders: ReadonlyMap<string, OutreachSender>): Due {
  const sender = (row.ownerId && senders.get(row.ownerId)?.mailbox) || null;
  return { ...row, emailHash: Buffer.from(row.emailHash), sender, recipient: hashMailbox(row.emailNorm) };
}

const FIND_DUE = `
  select c.id as "contactId", c.email, c.email_norm as "emailNorm", c.email_hash as "emailHash", c.email_list_id as "emailListId", share."ownerId", share.source,
         case when c.opt_in_source is null then c.subscription_type else coalesce(c.opt_in_type, c.subscription_type) end as type
  from jsonb_to_recordset(?::jsonb) as share (list uuid, source text, "ownerId" uuid, most int)
  cross join lateral (
    select * from subscriptions c
    where c.email_list_id = share.list and coalesce(c.opt_in_source, c.source) = share.source and c.opt_in_state = 'due' and c.opt_in_due_at <= now()
    order by c.opt_in_due_at, c.id limit share.most for update skip locked
  ) c`;

/** A mail that is not sent leaves the contact's earlier link as it is; who asked stays noted, so that a visitor who asks again is answered as if it had gone. */
const SETTLE = `
  update subscriptions c
  set opt_in_state = case v.what when 'send' then 'sent' when 'drop' then 'none' else c.opt_in_state end,
      opt_in_due_at = coalesce(v.until, c.opt_in_due_at),
      confirmation_sent_at = case v.what when 'send' then now() else c.confirmation_sent_at end,
      confirmation_token = case v.what when 'send' then v.token else c.confirmation_token end,
      confirmation_token_expires = case v.what when 'send' then now() + interval '30 days' else c.confirmation_token_expires end,
      confirmation_source = case v.what when 'send' then coalesce(c.opt_in_source, c.source) else c.confirmation_source end,
      confirmation_type = case v.what when 'send' then coalesce(c.opt_in_type, c.subscription_type) else c.confirmation_type end,
      opt_in_source = case v.what when 'send' then null else c.opt_in_source end,
      opt_in_type = case v.what when 'send' then null else c.opt_in_type end
  from jsonb_to_recordset(?::jsonb) as v(id uuid, what text, token text, until timestamptz)
  where c.id = v.id`;
