import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { type RecentMail, SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../../shared/tokens/tokens.js';
import { Accounts } from '../../auth/index.js';
import { recordConsent } from '../unsubscribe/consent-log.js';
import { optInMail } from './opt-in.email.js';
import { EmailList } from '../entities/email-list.entity.js';
import { AskOptOuts, OPT_IN_MAIL } from '../outreach/ask-opt-outs.service.js';
import { type AskHistory, AskRecords, MAX_OWN_ASKS } from '../outreach/ask-records.service.js';
import { OutreachBudget, type OutreachSender } from '../outreach/outreach-budget.service.js';
import { dueContact, type DueContact, type DueContactRow, SELECT_DUE, UPDATE_DECIDED } from './opt-in-due.js';
import { type BatchShare, isVisitors } from './opt-in-shares.js';
import { CONFIRMATION_MAILS } from './confirmation-mail-limit.js';
import { notBefore, notBeforeOfOwner, type OwnersAsks } from './opt-in-throttle.js';

/** Decision about a due contact: send, postpone, or never send. */
interface Verdict {
  due: DueContact;
  what: 'send' | 'wait' | 'drop';
  until?: Date;
  afterLeaving?: boolean;
}

/** Processes a batch of due confirmation mails in one transaction. */
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
   * Decides about the due contacts of these shares, and enqueues their mails.
   * @param senders state read earlier; owners who were suspended or deleted since then send nothing
   * @returns number of contacts processed; contacts beyond the budget stay due
   */
  settle(shares: readonly BatchShare[], senders: ReadonlyMap<string, OutreachSender>): Promise<number> {
    return inTransaction(this.em, async (em) => {
      const inGoodStanding = await this.accounts.holdInGoodStanding(
        em,
        [...new Set(shares.flatMap(({ ownerId }) => ownerId ?? []))],
        'skip',
      );
      const found = await rows<DueContactRow>(em, SELECT_DUE, [
        JSON.stringify(shares.filter(({ ownerId }) => ownerId === null || inGoodStanding.has(ownerId))),
      ]);
      const due = found.map((row) => dueContact(row, senders));
      const verdicts = await this.judge(em, due);
      const sends = await this.within(
        em,
        verdicts.filter(({ what }) => what === 'send'),
        senders,
      );
      await this.write(
        em,
        sends,
        verdicts.filter(({ what }) => what !== 'send'),
        senders,
      );
      return sends.length + verdicts.filter(({ what }) => what !== 'send').length;
    });
  }

  private async judge(em: EntityManager, due: readonly DueContact[]): Promise<Verdict[]> {
    const recent = await this.outbox.recentOf(
      em,
      CONFIRMATION_MAILS,
      due.map(({ recipient }) => recipient),
      24,
    );
    const facts = await this.asks.factsOf(em, due);
    // Uses the database's clock, by which these contacts are due. If this process's clock lagged behind, it would
    // postpone them again and again.
    const now = new Date((await rows<{ now: Date | string }>(em, 'select now()'))[0]!.now);
    const [asked, returned] = [new Map<string, number>(), new Set<string>()];
    const byOwner = new Map<string, OwnersAsks>();
    return due.map((contact): Verdict => {
      const mailbox = contact.recipient.toString('hex');
      const mails: RecentMail[] = recent.get(mailbox) ?? [];
      const fact = facts.get(contact.contactId)!;
      const key = `${mailbox} ${contact.emailListId}`;
      if (
        !mayAsk(contact, {
          ...fact,
          ownAsks: fact.ownAsks + (asked.get(key) ?? 0),
          askedSinceLeaving: fact.askedSinceLeaving || returned.has(mailbox),
        })
      )
        return { due: contact, what: 'drop' };
      const ownerKey = `${mailbox} ${contact.sender?.toString('hex') ?? ''}`;
      const ownersAsks = byOwner.get(ownerKey) ?? ownersAsksOf(fact);
      const until = latest(
        notBefore(mails, contact.emailListId, now),
        notBeforeOfOwner(ownersAsks, isVisitors(contact), now),
      );
      if (until) return { due: contact, what: 'wait', until };
      recent.set(mailbox, [{ subjectId: contact.emailListId, createdAt: now }, ...mails]);
      byOwner.set(ownerKey, {
        own: isVisitors(contact) ? ownersAsks.own : [now, ...ownersAsks.own],
        all: [now, ...ownersAsks.all],
      });
      if (!isVisitors(contact)) asked.set(key, (asked.get(key) ?? 0) + 1);
      if (fact.hasLeft) returned.add(mailbox);
      return { due: contact, what: 'send', afterLeaving: fact.hasLeft };
    });
  }

  /** Limits each sender's mails to the remaining budget, visitors' requests first. */
  private async within(
    em: EntityManager,
    sends: readonly Verdict[],
    senders: ReadonlyMap<string, OutreachSender>,
  ): Promise<Verdict[]> {
    const byMailbox = new Map<string, { sender: OutreachSender; own: Verdict[]; visitors: Verdict[] }>();
    for (const send of sends) {
      const sender = send.due.ownerId ? senders.get(send.due.ownerId) : undefined;
      if (!sender) continue;
      const key = sender.mailbox.toString('hex');
      const group = byMailbox.get(key) ?? { sender, own: [], visitors: [] };
      // For several accounts of one mailbox, the larger budget applies.
      if (sender.budget.total > group.sender.budget.total) group.sender = sender;
      (isVisitors(send.due) ? group.visitors : group.own).push(send);
      byMailbox.set(key, group);
    }
    const groups = [...byMailbox.values()];
    const grants = await this.budget.take(
      em,
      groups.map(({ sender, own, visitors }) => ({ sender, own: own.length, visitors: visitors.length })),
    );
    const granted = groups.flatMap(({ own, visitors }, at) => [
      ...visitors.slice(0, grants[at]!.visitors),
      ...own.slice(0, grants[at]!.own),
    ]);
    return [...sends.filter(({ due }) => due.ownerId === null), ...granted];
  }

  private async write(
    em: EntityManager,
    sends: readonly Verdict[],
    others: readonly Verdict[],
    senders: ReadonlyMap<string, OutreachSender>,
  ): Promise<void> {
    const tokens = sends.map(() => mintToken());
    const mailIds = await this.enqueue(
      em,
      sends.map(({ due }) => due),
      tokens,
      senders,
    );
    await this.asks.record(
      em,
      sends.map(({ due: { emailListId, sender, recipient, source }, afterLeaving = false }, at) => ({
        id: mailIds[at]!,
        emailListId,
        sender,
        recipient,
        path: source === 'public' ? 'public' : 'own',
        afterLeaving,
      })),
    );
    await recordConsent(
      em,
      ...sends
        .filter(({ due }) => !isVisitors(due))
        .map(({ due }) => ({
          kind: 'requested' as const,
          how: due.source,
          addressHash: due.emailHash,
          addressNorm: due.emailNorm,
          contactId: due.contactId,
          emailListId: due.emailListId,
          ownerId: due.ownerId,
        })),
    );
    const settled = [
      ...sends.map(({ due, what }, at) => ({ id: due.contactId, what, token: hashToken(tokens[at]!) })),
      ...others.map(({ due, what, until }) => ({ id: due.contactId, what, until: until?.toISOString() })),
    ];
    // Runs last, because it locks the lists' counters.
    if (settled.length > 0) await rows(em, UPDATE_DECIDED, [JSON.stringify(settled)]);
  }

  private async enqueue(
    em: EntityManager,
    due: readonly DueContact[],
    tokens: readonly string[],
    senders: ReadonlyMap<string, OutreachSender>,
  ): Promise<string[]> {
    if (due.length === 0) return [];
    const { appUrl, postalAddress } = this.settings;
    const found = await em.find(
      EmailList,
      { id: { $in: [...new Set(due.map(({ emailListId }) => emailListId))] } },
      { filters: false },
    );
    const lists = new Map(found.map((list) => [list.id, list]));
    const links = await this.optOuts.mint(
      em,
      'opt-in',
      due.map(({ emailHash, recipient }) => ({ addressHash: emailHash, mailboxHash: recipient })),
    );
    return this.outbox.enqueueAll(
      em,
      due.map((contact, at) => {
        const list = lists.get(contact.emailListId)!;
        const account = contact.ownerId ? senders.get(contact.ownerId)!.account : null;
        return {
          kind: OPT_IN_MAIL,
          to: contact.email,
          recipientHash: contact.emailHash,
          subjectId: contact.emailListId,
          oneClickUrl: links[at]!.url,
          priority: isVisitors(contact) ? 'requested' : 'unasked',
          content: optInMail({
            url: `${appUrl}/subscribe/confirmed?token=${tokens[at]!}`,
            neverAskUrl: links[at]!.url,
            account,
            source: contact.source,
            type: contact.type,
            postalAddress,
            list: {
              name: list.name,
              ownerName: list.ownerName ?? null,
              agencyName: list.agencyName ?? account?.agencyName ?? null,
            },
          }),
        };
      }),
    );
  }
}

const ownersAsksOf = ({ lately }: AskHistory): OwnersAsks => ({
  own: lately.filter(({ path }) => path === 'own').map(({ at }) => new Date(at)),
  all: lately.map(({ at }) => new Date(at)),
});

const latest = (...times: (Date | null)[]): Date | null =>
  times.reduce((later, time) => (time && (!later || time > later) ? time : later), null);

/** Whether a person may be asked. A request through a public page may come from someone else. */
function mayAsk(due: DueContact, { refusesAll, hasLeft, askedSinceLeaving, ownAsks }: AskHistory): boolean {
  if (refusesAll) return false;
  return isVisitors(due) ? !(hasLeft && askedSinceLeaving) : !hasLeft && ownAsks < MAX_OWN_ASKS;
}
