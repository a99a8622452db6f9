import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/rows.js';
import { UTC_TODAY } from '../../../shared/database/utc-day.js';
import { hashMailbox } from '../../../shared/mail/mailbox.js';
import { Accounts, type SendingAccount } from '../../auth/index.js';
import { type DailyBudget, dailyBudget, type OutreachRecord } from './daily-budget.js';

const DAY_MS = 86_400_000;
/** Days whose mails a sender is judged by. */
const RECORD_DAYS = 90;
/** A mail counts as answerable from the third UTC day on: its reader then had 48 hours at least. */
const ANSWER_DAYS = 3;

/** An account that may cause mails to strangers, and how many of today's are left to it. */
export interface OutreachSender {
  account: SendingAccount;
  /** Hash of its mailbox: accounts of one mailbox share one budget, also one after the other. */
  mailbox: Buffer;
  budget: DailyBudget;
  /** Mails that went out today, over all paths. */
  sentToday: number;
  /** What the owner may still cause today, by adding, importing or inviting. */
  ownRoom: number;
  /** What visitors of the owner's pages may still ask for today. */
  visitorRoom: number;
}

/** What is wanted of one sender's budget. */
export interface OutreachClaim {
  sender: OutreachSender;
  own?: number;
  visitors?: number;
  invites?: number;
}

export interface OutreachGrant {
  /** Of `own` or `invites`. */
  own: number;
  visitors: number;
}

interface RecordRow extends Record<'own' | 'visitors', OutreachRecord> {
  sender: string;
  ownToday: number;
  visitorsToday: number;
}

/**
 * The one budget of mails to strangers: confirmation mails and invites, whatever made them. It is counted per mailbox of the account, in
 * one row a day, under that row's lock.
 */
@Injectable()
export class OutreachBudget {
  constructor(
    private readonly em: EntityManager,
    private readonly accounts: Accounts,
    private readonly clock: Clock,
    private readonly settings: Settings,
  ) {}

  /** By account id, those of these accounts that may have mail go out: verified, not suspended, not closed. */
  async sendersOf(ownerIds: readonly string[], em: EntityManager = this.em.fork()): Promise<Map<string, OutreachSender>> {
    const accounts = await this.accounts.sendersOf([...new Set(ownerIds)]);
    if (accounts.length === 0) return new Map();
    const mailboxes = new Map(accounts.map((account) => [account.id, hashMailbox(account.emailNorm)]));
    const found = await rows<RecordRow>(em, RECORDS, [JSON.stringify([...mailboxes.values()].map((mailbox) => mailbox.toString('hex')))]);
    const records = new Map(found.map((record) => [record.sender, record]));
    return new Map(
      accounts.map((account) => {
        const mailbox = mailboxes.get(account.id)!;
        return [account.id, this.senderOf(account, mailbox, records.get(mailbox.toString('hex')))] as const;
      }),
    );
  }

  /**
   * Takes of today's budgets as much as is left of what is wanted, within the caller's transaction: visitors first. The rows stay
   * locked until it ends. @returns what was granted, in the order of the claims, which name each mailbox once
   */
  async take(em: EntityManager, claims: readonly OutreachClaim[]): Promise<OutreachGrant[]> {
    if (claims.length === 0) return [];
    const wanted = JSON.stringify(
      claims.map(({ sender: { mailbox, budget }, own = 0, visitors = 0, invites = 0 }) => ({
        sender: mailbox.toString('hex'), own, visitors, invites, total: budget.total,
        own_most: budget.ownStop ? 0 : budget.ownMost, visitors_most: budget.visitorsStop ? 0 : budget.visitorsMost,
      })),
    );
    await rows(em, `insert into outreach_days (sender, day) select distinct decode(c.sender, 'hex'), ${UTC_TODAY} from jsonb_to_recordset(?::jsonb) as c(sender text) order by 1 on conflict do nothing`, [wanted]);
    const granted = new Map((await rows<OutreachGrant & { sender: string }>(em, TAKE, [wanted])).map((grant) => [grant.sender, grant]));
    return claims.map(({ sender }) => granted.get(sender.mailbox.toString('hex')) ?? { own: 0, visitors: 0 });
  }

  /** When the next budget opens. */
  nextDay(): Date {
    return new Date((Math.floor(this.clock.now().getTime() / DAY_MS) + 1) * DAY_MS);
  }

  private senderOf(account: SendingAccount, mailbox: Buffer, record?: RecordRow): OutreachSender {
    const none: OutreachRecord = { sent: 0, answerable: 0, confirmed: 0, bounced: 0 };
    const { own = none, visitors = none, ownToday = 0, visitorsToday = 0 } = record ?? {};
    const { freeOutreachBudget, proOutreachBudget } = this.settings;
    const days = (this.clock.now().getTime() - account.createdAt.getTime()) / DAY_MS;
    const budget = dailyBudget({ base: account.plan === 'free' ? freeOutreachBudget : proOutreachBudget, days, own, visitors });
    const left = Math.max(0, budget.total - ownToday - visitorsToday);
    return {
      account, mailbox, budget, sentToday: ownToday + visitorsToday,
      ownRoom: budget.ownStop ? 0 : Math.max(0, Math.min(left, budget.ownMost - ownToday)),
      visitorRoom: budget.visitorsStop ? 0 : Math.max(0, Math.min(left, budget.visitorsMost - visitorsToday)),
    };
  }
}

const sum = (column: string, when = 'true'): string => `coalesce(sum(d.${column}) filter (where ${when}), 0)::int`;
const ANSWERABLE = `d.day <= ${UTC_TODAY} - ${ANSWER_DAYS}`;
const record = (side: string): string =>
  `jsonb_build_object('sent', ${sum(`${side}_sent`)}, 'answerable', ${sum(`${side}_sent`, ANSWERABLE)}, 'confirmed', ${sum(`${side}_confirmed`, ANSWERABLE)}, 'bounced', ${sum(`${side}_bounced`)})`;

const RECORDS = `
  select encode(d.sender, 'hex') as sender, ${record('own')} as own, ${record('public')} as visitors,
         ${sum('own_sent', `d.day = ${UTC_TODAY}`)} + ${sum('invites_sent', `d.day = ${UTC_TODAY}`)} as "ownToday", ${sum('public_sent', `d.day = ${UTC_TODAY}`)} as "visitorsToday"
  from outreach_days d
  where d.sender = any (array(select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb))) and d.day > ${UTC_TODAY} - ${RECORD_DAYS}
  group by d.sender`;

const TAKE = `
  with claim as (
    select decode(c.sender, 'hex') as mailbox, c.own, c.visitors, c.invites, c.total, c.own_most, c.visitors_most
    from jsonb_to_recordset(?::jsonb) as c(sender text, own int, visitors int, invites int, total int, own_most int, visitors_most int)
  ), held as (
    select d.sender, d.own_sent + d.invites_sent as own_used, d.public_sent as visitors_used
    from outreach_days d join claim c on c.mailbox = d.sender where d.day = ${UTC_TODAY} order by d.sender for update of d
  ), visitors as (
    select h.*, c.own, c.invites, c.total, c.own_most,
           greatest(0, least(c.visitors, c.visitors_most - h.visitors_used, c.total - h.own_used - h.visitors_used)) as visitors_granted
    from held h join claim c on c.mailbox = h.sender
  ), granted as (
    select v.*, greatest(0, least(v.own + v.invites, v.own_most - v.own_used, v.total - v.own_used - v.visitors_used - v.visitors_granted)) as own_granted from visitors v
  )
  update outreach_days d
  set public_sent = d.public_sent + g.visitors_granted, own_sent = d.own_sent + least(g.own, g.own_granted), invites_sent = d.invites_sent + greatest(0, g.own_granted - g.own)
  from granted g where d.sender = g.sender and d.day = ${UTC_TODAY}
  returning encode(d.sender, 'hex') as sender, g.own_granted as own, g.visitors_granted as visitors`;
