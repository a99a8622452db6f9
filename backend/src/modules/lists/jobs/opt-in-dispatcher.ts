import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Inject, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail-outbox.js';
import { hashToken, mintToken } from '../../../shared/tokens/tokens.js';
import type { ContactType } from '../../../shared/words/contact-type.js';
import { type ConsentFact, recordConsent } from '../consent-log.js';
import { optInMail } from '../emails/opt-in.email.js';
import { CONTACT_SOURCES, type ContactSource } from '../entities/contact.entity.js';
import { EmailList } from '../entities/email-list.entity.js';
import { Owners } from '../owners.service.js';
import { type RecentMail, turnOf } from './opt-in-throttle.js';

export const OPT_IN_MAIL = 'lists.opt-in';
const BATCH = 200;
/** Of one list in one batch: a large import does not keep other lists waiting. */
const PER_LIST = 50;
/** Confirmation mails that may wait in the outbox at once, so that sign-up mails never queue behind an import's. */
const BACKLOG = 500;
const SWEEP_MS = 5_000;

interface Due {
  id: string;
  email: string;
  email_norm: string;
  email_hash: Buffer;
  email_list_id: string;
  source: ContactSource;
  subscription_type: ContactType;
}

/** Sends the confirmation mails that are owed, when they may go: owner verified, throttles kept (decisions.md D18, D34). */
@JobHandler('opt-in', 1)
export class OptInDispatcher implements HandlesJob<'opt-in'> {
  private readonly log = new Logger(OptInDispatcher.name);

  constructor(
    @Inject(MikroORM) private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly outbox: SystemMailOutbox,
    private readonly owners: Owners,
    private readonly settings: Settings,
  ) {}

  async handle(): Promise<void> {
    await this.runner.run('lists.opt-in', async () => {
      for (let room = await this.room(); room > 0; room = await this.room()) {
        if ((await this.dispatch(Math.min(BATCH, room))) === 0) return;
      }
    });
  }

  @Interval(SWEEP_MS)
  @CreateRequestContext<OptInDispatcher>((dispatcher) => dispatcher.orm)
  async sweep(): Promise<void> {
    try {
      await this.handle();
    } catch (error) {
      this.log.error({ err: error }, 'the confirmation mails could not be sent');
    }
  }

  /** @returns how many contacts were dealt with */
  private async dispatch(limit: number): Promise<number> {
    const lanes = await this.lanes();
    if (lanes.length === 0) return 0;
    const em = this.em.fork();
    const settled = await em.transactional(async (tx) => {
      const due = await rows<Due>(tx, FIND_DUE, [JSON.stringify(lanes), PER_LIST, limit]);
      await this.settle(tx, due);
      return due.length;
    });
    if (settled > 0) await this.outbox.kick();
    return settled;
  }

  /** The lists and sources whose mails may go now: what a person asked for always, what an owner added once the owner is verified, and not while suspended. */
  private async lanes(): Promise<{ list: string; source: ContactSource }[]> {
    const waiting = await rows<{ list: string; source: ContactSource; owner_id: string | null }>(this.em, FIND_LANES, [JSON.stringify(CONTACT_SOURCES)]);
    const owners = [...new Set(waiting.flatMap((lane) => (lane.source === 'public' ? [] : (lane.owner_id ?? []))))];
    const mailing = owners.length > 0 ? await this.owners.mailingOf(owners) : new Set<string>();
    return waiting
      .filter((lane) => lane.source === 'public' || lane.owner_id === null || mailing.has(lane.owner_id))
      .map(({ list, source }) => ({ list, source }));
  }

  private async settle(em: EntityManager, due: Due[]): Promise<void> {
    if (due.length === 0) return;
    const recent = await this.outbox.recentOf(em, OPT_IN_MAIL, due.map((contact) => Buffer.from(contact.email_hash)), 24);
    const lists = await this.listsOf(em, due);
    const facts: ConsentFact[] = [];
    for (const contact of due) {
      const hash = Buffer.from(contact.email_hash);
      const mails: RecentMail[] = recent.get(hash.toString('hex')) ?? [];
      const turn = turnOf(mails, contact.email_list_id, new Date());
      if (turn) {
        await rows(em, 'update subscriptions set opt_in_due_at = ? where id = ?', [turn.toISOString(), contact.id]);
        continue;
      }
      const list = lists.get(contact.email_list_id)!;
      await this.send(em, contact, hash, list);
      recent.set(hash.toString('hex'), [{ subjectId: contact.email_list_id, createdAt: new Date() }, ...mails]);
      if (contact.source !== 'public') facts.push({ kind: 'requested', how: contact.source, addressHash: hash, addressNorm: contact.email_norm, contactId: contact.id, emailListId: contact.email_list_id, ownerId: list.ownerId });
    }
    await recordConsent(em, ...facts);
  }

  private async send(em: EntityManager, contact: Due, hash: Buffer, list: ListSide): Promise<void> {
    const token = mintToken();
    await rows(
      em,
      `update subscriptions set opt_in_state = 'sent', confirmation_sent_at = now(), confirmation_token = ?, confirmation_token_expires = now() + interval '30 days' where id = ?`,
      [hashToken(token), contact.id],
    );
    await this.outbox.enqueue(em, {
      kind: OPT_IN_MAIL,
      to: contact.email,
      recipientHash: hash,
      subjectId: contact.email_list_id,
      content: optInMail({
        url: `${this.settings.appUrl}/subscribe/confirmed?token=${token}`, listName: list.name, from: list.from, source: contact.source, type: contact.subscription_type,
      }),
    });
  }

  private async listsOf(em: EntityManager, due: Due[]): Promise<Map<string, ListSide>> {
    const lists = await em.find(EmailList, { id: { $in: [...new Set(due.map((contact) => contact.email_list_id))] } });
    const sides = await Promise.all(
      lists.map(async (list) => {
        const { agencyName, ownerName } = await this.owners.publicSide(list);
        const from = agencyName && ownerName ? `${ownerName} (${agencyName})` : (ownerName ?? agencyName ?? list.name);
        return [list.id, { name: list.name, ownerId: list.ownerId ?? null, from }] as const;
      }),
    );
    return new Map(sides);
  }

  private async room(): Promise<number> {
    const [found] = await rows<{ waiting: number }>(
      this.em,
      `select count(*)::int as waiting from (select 1 from system_mails where kind = ? and status in ('queued', 'sending') and next_attempt_at <= now() limit ?) waiting`,
      [OPT_IN_MAIL, BACKLOG],
    );
    return BACKLOG - (found?.waiting ?? 0);
  }
}

interface ListSide {
  name: string;
  ownerId: string | null;
  from: string;
}

/** Each (list, source) with due mails, by hops through the partial index: a million waiting contacts of one list cost one hop (an EXISTS would be turned into a scan of them all). */
const FIND_LANES = `
  with recursive lists as (
    (select email_list_id from subscriptions where opt_in_state = 'due' order by email_list_id limit 1)
    union all
    select (select c.email_list_id from subscriptions c where c.opt_in_state = 'due' and c.email_list_id > lists.email_list_id order by c.email_list_id limit 1)
    from lists where lists.email_list_id is not null
  )
  select l.id as list, s.source, l.owner_id
  from lists join email_lists l on l.id = lists.email_list_id
  cross join (select value as source from jsonb_array_elements_text(?::jsonb)) s
  cross join lateral (
    select 1 from subscriptions c where c.email_list_id = l.id and c.source = s.source and c.opt_in_state = 'due' and c.opt_in_due_at <= now()
    order by c.opt_in_due_at limit 1
  ) due`;

/** A person who has left and did not ask to come back is owed no mail. */
const FIND_DUE = `
  select c.id, c.email, c.email_norm, c.email_hash, c.email_list_id, c.source, c.subscription_type
  from jsonb_to_recordset(?::jsonb) as lane (list uuid, source text)
  cross join lateral (
    select * from subscriptions c
    where c.email_list_id = lane.list and c.source = lane.source and c.opt_in_state = 'due' and c.opt_in_due_at <= now()
    order by c.opt_in_due_at, c.id limit ? for update skip locked
  ) c
  limit ?`;
