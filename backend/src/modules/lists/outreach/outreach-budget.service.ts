import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { UTC_TODAY } from '../../../shared/database/queries/columns.js';
import { hashMailbox } from '../../../shared/mail/address.js';
import { Accounts, type SendingAccount } from '../../auth/index.js';
import { type DailyBudget, dailyBudget, type OutreachRecord } from './daily-budget.js';

const DAY_MS = 86_400_000;
/** Number of days of history with which a sender is judged. */
export const RECORD_DAYS = 90;
/** UTC day from which on a mail counts as answerable: the third, which is at least 48 hours after it was sent. */
const ANSWER_DAYS = 3;

/** Hours for which a mail counts against the budget: 24, plus one because mails are counted by whole hours. */
export const BUDGET_HOURS = 25;
const HOUR_MS = 3_600_000;

/** Mails sent within one hour. */
interface HourSent {
  /** Start of the hour. */
  hour: string;
  own: number;
  visitors: number;
}

/** An account that may cause mails to strangers, with its remaining budget for the current 24 hours. */
export interface OutreachSender {
  account: SendingAccount;
  /** Hash of the account's mailbox. Accounts of one mailbox share a budget, even if one replaces the other. */
  mailbox: Buffer;
  budget: DailyBudget;
  /** Mails that count against the budget now, by hour, oldest first. */
  sent: readonly HourSent[];
  /** Remaining mails for adding, importing and inviting. */
  ownRoom: number;
  /** Remaining mails for visitors' requests. */
  visitorRoom: number;
}

/** Mails requested from one sender's budget. */
export interface OutreachClaim {
  sender: OutreachSender;
  own?: number;
  visitors?: number;
  invites?: number;
}

export interface OutreachGrant {
  /** Number of granted mails for people whom the owner added, imported or invited. */
  own: number;
  visitors: number;
}

interface RecordRow extends Record<'own' | 'visitors', OutreachRecord> {
  sender: string;
  lately: HourSent[];
}

/**
 * The only budget of mails to strangers: confirmation mails and invites of any origin. Limits the mails that the
 * accounts of one mailbox cause in any 24 hours, under a lock on that mailbox.
 */
@Injectable()
export class OutreachBudget {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** Accounts among these that may send mail (verified, not suspended, not deleted), by id. */
  async sendersOf(
    ownerIds: readonly string[],
    em: EntityManager = this.em.fork(),
  ): Promise<Map<string, OutreachSender>> {
    const accounts = await this.accounts.sendersOf([...new Set(ownerIds)]);
    if (accounts.length === 0) return new Map();
    const mailboxes = new Map(accounts.map((account) => [account.id, hashMailbox(account.emailNorm)]));
    const found = await rows<RecordRow>(em, RECORDS, [
      JSON.stringify([...mailboxes.values()].map((mailbox) => mailbox.toString('hex'))),
    ]);
    const records = new Map(found.map((record) => [record.sender, record]));
    return new Map(
      accounts.map((account) => {
        const mailbox = mailboxes.get(account.id)!;
        return [account.id, this.senderOf(account, mailbox, records.get(mailbox.toString('hex')))] as const;
      }),
    );
  }

  /**
   * Takes as many of the requested mails from the budgets as the budgets allow, visitors first, within the caller's
   * transaction. The mailboxes stay locked until it ends.
   * @returns granted numbers in the order of the claims; no mailbox occurs in two claims
   */
  async take(em: EntityManager, claims: readonly OutreachClaim[]): Promise<OutreachGrant[]> {
    if (claims.length === 0) return [];
    const wanted = JSON.stringify(
      claims.map(({ sender: { mailbox, budget }, own = 0, visitors = 0, invites = 0 }) => ({
        sender: mailbox.toString('hex'),
        own,
        visitors,
        invites,
        total: budget.total,
        own_most: budget.ownStop ? 0 : budget.ownMost,
        visitors_most: budget.visitorsStop ? 0 : budget.visitorsMost,
      })),
    );
    await rows(em, LOCK, [wanted]);
    await rows(
      em,
      `insert into outreach_days (sender, day) select distinct decode(c.sender, 'hex'), ${UTC_TODAY} from jsonb_to_recordset(?::jsonb) as c(sender text) order by 1 on conflict do nothing`,
      [wanted],
    );
    const granted = new Map(
      (await rows<OutreachGrant & { sender: string }>(em, GRANT_MAILS, [wanted])).map((grant) => [grant.sender, grant]),
    );
    return claims.map(({ sender }) => granted.get(sender.mailbox.toString('hex')) ?? { own: 0, visitors: 0 });
  }

  /** When a sender with a used-up budget may cause the next mail. @returns null while the sender's mails are stopped */
  opensAt({ budget, sent }: OutreachSender, side: 'own' | 'visitors'): Date | null {
    if (side === 'own' ? budget.ownStop : budget.visitorsStop) return null;
    const freed = sent.find((_, at) => roomOf(budget, sent.slice(at + 1))[side] > 0);
    return new Date(
      freed
        ? new Date(freed.hour).getTime() + BUDGET_HOURS * HOUR_MS
        : this.clock.now().getTime() + BUDGET_HOURS * HOUR_MS,
    );
  }

  private senderOf(account: SendingAccount, mailbox: Buffer, record?: RecordRow): OutreachSender {
    const none: OutreachRecord = { sent: 0, answerable: 0, confirmed: 0, bounced: 0 };
    const { own = none, visitors = none, lately: sent = [] } = record ?? {};
    const { freeOutreachBudget, proOutreachBudget } = this.settings;
    const days = (this.clock.now().getTime() - account.createdAt.getTime()) / DAY_MS;
    const budget = dailyBudget({
      base: account.plan === 'free' ? freeOutreachBudget : proOutreachBudget,
      days,
      own,
      visitors,
    });
    const room = roomOf(budget, sent);
    return { account, mailbox, budget, sent, ownRoom: room.own, visitorRoom: room.visitors };
  }
}

/** Remaining budget after these mails. */
function roomOf(budget: DailyBudget, sent: readonly HourSent[]): { own: number; visitors: number } {
  const [own, visitors] = [
    sent.reduce((sum, hour) => sum + hour.own, 0),
    sent.reduce((sum, hour) => sum + hour.visitors, 0),
  ];
  const left = Math.max(0, budget.total - own - visitors);
  return {
    own: budget.ownStop ? 0 : Math.max(0, Math.min(left, budget.ownMost - own)),
    visitors: budget.visitorsStop ? 0 : Math.max(0, Math.min(left, budget.visitorsMost - visitors)),
  };
}

const sum = (column: string, when = 'true'): string => `coalesce(sum(d.${column}) filter (where ${when}), 0)::int`;
const ANSWERABLE = `d.day <= ${UTC_TODAY} - ${ANSWER_DAYS}`;
const record = (side: string): string =>
  `jsonb_build_object('sent', ${sum(`${side}_sent`)}, 'answerable', ${sum(`${side}_sent`, ANSWERABLE)}, 'confirmed', ${sum(`${side}_confirmed`, ANSWERABLE)}, 'bounced', ${sum(`${side}_bounced`)})`;

const COUNTS = `h.hour > now() - interval '${BUDGET_HOURS} hours'`;

const RECORDS = `
  select encode(w.sender, 'hex') as sender, r.own, r.visitors,
         coalesce((select jsonb_agg(jsonb_build_object('hour', h.hour, 'own', h.own_sent, 'visitors', h.public_sent) order by h.hour)
                   from outreach_hours h where h.sender = w.sender and ${COUNTS}), '[]') as lately
  from (select decode(value, 'hex') as sender from jsonb_array_elements_text(?::jsonb)) w
  cross join lateral (
    select ${record('own')} as own, ${record('public')} as visitors from outreach_days d where d.sender = w.sender and d.day > ${UTC_TODAY} - ${RECORD_DAYS}
  ) r`;

/** Serialises access to the budgets of mailboxes; locks in a fixed order to avoid deadlocks. */
const LOCK = `
  select pg_advisory_xact_lock(hashtextextended('lists.outreach:' || s.sender, 0))
  from (select distinct c.sender from jsonb_to_recordset(?::jsonb) as c(sender text) order by 1) s`;

const GRANT_MAILS = `
  with claim as (
    select decode(c.sender, 'hex') as mailbox, c.own, c.visitors, c.invites, c.total, c.own_most, c.visitors_most
    from jsonb_to_recordset(?::jsonb) as c(sender text, own int, visitors int, invites int, total int, own_most int, visitors_most int)
  ), used as (
    select c.*, l.own_used, l.visitors_used
    from claim c cross join lateral (
      select coalesce(sum(h.own_sent), 0)::int as own_used, coalesce(sum(h.public_sent), 0)::int as visitors_used from outreach_hours h where h.sender = c.mailbox and ${COUNTS}
    ) l
  ), visitors as (
    select u.*, greatest(0, least(u.visitors, u.visitors_most - u.visitors_used, u.total - u.own_used - u.visitors_used)) as visitors_granted from used u
  ), granted as (
    select v.*, greatest(0, least(v.own + v.invites, v.own_most - v.own_used, v.total - v.own_used - v.visitors_used - v.visitors_granted)) as own_granted from visitors v
  ), hour as (
    insert into outreach_hours as h (sender, hour, own_sent, public_sent)
    select g.mailbox, date_trunc('hour', now(), 'UTC'), g.own_granted, g.visitors_granted from granted g where g.own_granted + g.visitors_granted > 0
    on conflict (sender, hour) do update set own_sent = h.own_sent + excluded.own_sent, public_sent = h.public_sent + excluded.public_sent
  )
  update outreach_days d
  set public_sent = d.public_sent + g.visitors_granted, own_sent = d.own_sent + least(g.own, g.own_granted), invites_sent = d.invites_sent + greatest(0, g.own_granted - g.own)
  from granted g where d.sender = g.mailbox and d.day = ${UTC_TODAY}
  returning encode(d.sender, 'hex') as sender, g.own_granted as own, g.visitors_granted as visitors`;
