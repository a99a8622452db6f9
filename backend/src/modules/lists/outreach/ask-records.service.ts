import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/rows.js';
import { UTC_TODAY } from '../../../shared/database/utc-day.js';
import type { Address } from '../../../shared/mail/address.js';
import { mailboxHashSql } from '../../auth/index.js';
import type { AskPath } from '../entities/outreach-ask.entity.js';

/** An owner asks a mailbox for one list so often; after that only the person asks. */
export const MOST_OWN_ASKS = 2;
/** An owner asks a mailbox so often within 30 days, over all lists. */
export const MOST_OWN_ASKS_LATELY = 3;

/** A person asked, or to be asked, for a list. */
export interface Asking {
  contactId: string;
  emailListId: string;
  /** Owner of the list; null: the network. */
  ownerId: string | null;
  /** Mailbox of the owner; null: the network. */
  sender: Buffer | null;
  emailHash: Buffer;
  recipient: Buffer;
}

/** What speaks against asking a person. */
export interface AskFacts {
  /** They left everything, reported spam, said "never ask me again", or their address does not exist: nobody asks. */
  refusesAll: boolean;
  /** They left this list's owner, or the network. */
  hasLeft: boolean;
  /** After leaving something they were asked within the last 30 days. */
  askedSinceLeaving: boolean;
  /** How often this owner asked them for this list; a list that was deleted counts as any list. */
  ownAsks: number;
  /** When this owner asked them for any list within the last 30 days, newest first. */
  lately: { path: AskPath; at: string }[];
}

/** Whether an owner may ask a person once more, or why not. */
export type OwnerMayAsk = 'yes' | 'asked_twice' | 'asked_lately';

export interface NewAsk extends Pick<Asking, 'emailListId' | 'sender' | 'recipient'> {
  /** The system mail's id. */
  id: string;
  path: AskPath;
  afterLeaving: boolean;
}

/** Who was asked for which list, by whom, and what came of it. */
@Injectable()
export class AskRecords {
  /** What speaks against asking these, by contact id. */
  async factsOf(em: EntityManager, askings: readonly Asking[]): Promise<Map<string, AskFacts>> {
    if (askings.length === 0) return new Map();
    const wanted = askings.map(({ contactId, emailListId, ownerId, sender, emailHash, recipient }) => ({
      id: contactId, list: emailListId, owner: ownerId, sender: hex(sender), hash: hex(emailHash), mailbox: hex(recipient),
    }));
    const found = await rows<AskFacts & { id: string }>(em, FACTS, [JSON.stringify(wanted)]);
    return new Map(found.map(({ id, ...facts }) => [id, facts]));
  }

  /** Whether an owner may ask a contact once more: the same person was asked less than twice for this list, and less than three times in 30 days for any. */
  async mayOwnerAsk(em: EntityManager, list: { id: string; ownerId?: string | null }, contact: { emailNorm: string }): Promise<OwnerMayAsk> {
    const [found] = await rows<{ asks: number; lately: number }>(
      em,
      `select ${OWN_ASKS_SQL} as asks, (select count(*)::int from ${ASKS_LATELY} and a.path = 'own') as lately
       from (select mailbox_hash(?) as mailbox, ${mailboxHashSql('?::uuid')} as sender, ?::uuid as list) w`,
      [contact.emailNorm, list.ownerId ?? null, list.id],
    );
    if ((found?.asks ?? 0) >= MOST_OWN_ASKS) return 'asked_twice';
    return (found?.lately ?? 0) >= MOST_OWN_ASKS_LATELY ? 'asked_lately' : 'yes';
  }

  /** Whether an account may invite a person: the mailbox wants to hear of it, neither left it nor the network, whichever alias is invited. */
  async mayInvite(em: EntityManager, inviterId: string, { hash, norm }: Pick<Address, 'hash' | 'norm'>): Promise<boolean> {
    const [found] = await rows<{ may: boolean }>(
      em,
      `select not (${REFUSES_ALL} or ${hasLeft('true')}) as may from (select ?::bytea as hash, mailbox_hash(?) as mailbox, ?::uuid as owner) w`,
      [hash, norm, inviterId],
    );
    return found?.may ?? false;
  }

  async record(em: EntityManager, asks: readonly NewAsk[]): Promise<void> {
    if (asks.length === 0) return;
    await rows(
      em,
      `insert into outreach_asks (id, sender, recipient, email_list_id, path, after_leaving, day)
       select a.id, decode(a.sender, 'hex'), decode(a.recipient, 'hex'), a.list, a.path, a.after_leaving, ${UTC_TODAY}
       from jsonb_to_recordset(?::jsonb) as a(id uuid, sender text, recipient text, list uuid, path text, after_leaving boolean)`,
      [JSON.stringify(asks.map(({ id, sender, recipient, emailListId, path, afterLeaving }) => ({ id, sender: hex(sender), recipient: hex(recipient), list: emailListId, path, after_leaving: afterLeaving })))],
    );
  }

  /** The person said yes: it counts for whoever asked. An owner who answers their own mails gains nothing. */
  async noteConfirmed(em: EntityManager, recipient: Buffer, emailListId: string): Promise<void> {
    await rows(em, outcome('confirmed', 'recipient = ? and email_list_id = ?'), [recipient, emailListId]);
  }

  /** A mail came back or was refused for good. */
  async noteBounced(em: EntityManager, mailId: string): Promise<void> {
    await rows(em, outcome('bounced', 'id = ?'), [mailId]);
  }
}

const hex = (hash: Buffer | null): string | null => hash && hash.toString('hex');

const ACTIVE = '(s.expires_at is null or s.expires_at > now())';

/** How often the owner of mailbox `w.sender` asked mailbox `w.mailbox` for list `w.list`; what was asked for a list that is gone counts for any. */
const OWN_ASKS_SQL = `(
  select count(*)::int from outreach_asks a where a.recipient = w.mailbox and a.sender is not distinct from w.sender and a.path = 'own'
    and (a.email_list_id = w.list or not exists (select 1 from email_lists l where l.id = a.email_list_id)))`;

/** What the owner of mailbox `w.sender` asked mailbox `w.mailbox` for within the last 30 days, on any list. */
const ASKS_LATELY = `outreach_asks a where a.recipient = w.mailbox and a.sender is not distinct from w.sender and a.asked_at > now() - interval '30 days'`;

/** Whether address `w.hash` of mailbox `w.mailbox` wants no mail from anybody that it did not ask for, or does not exist. */
const REFUSES_ALL = `(
  exists (select 1 from suppressions s where ${ACTIVE}
          and ((s.address_hash = w.hash and (s.scope = 'all' or s.reason <> 'unsubscribed'))
            or (s.mailbox_hash = w.mailbox and ((s.scope = 'all' and s.reason <> 'bounced') or s.reason = 'complained'))))
  or exists (select 1 from referral_opt_outs o where o.opted_out_at is not null and (o.mailbox_hash = w.mailbox or o.address_hash = w.hash)))`;

/** Whether they left owner `w.owner`, or the network where that counts. */
const hasLeft = (network: string): string => `
  exists (select 1 from suppressions s where ${ACTIVE} and (s.address_hash = w.hash or s.mailbox_hash = w.mailbox)
          and ((s.scope = 'owner' and s.owner_id = w.owner) or (s.scope = 'network' and ${network})))`;

const FACTS = `
  select w.id,
         ${REFUSES_ALL} as "refusesAll",
         ${hasLeft('w.owner is null')} as "hasLeft",
         exists (select 1 from outreach_asks a where a.recipient = w.mailbox and a.after_leaving and a.asked_at > now() - interval '30 days') as "askedSinceLeaving",
         ${OWN_ASKS_SQL} as "ownAsks",
         coalesce((select jsonb_agg(jsonb_build_object('path', a.path, 'at', a.asked_at) order by a.asked_at desc) from ${ASKS_LATELY}), '[]') as lately
  from (select j.id, j.list, j.owner, decode(j.sender, 'hex') as sender, decode(j.hash, 'hex') as hash, decode(j.mailbox, 'hex') as mailbox
        from jsonb_to_recordset(?::jsonb) as j(id uuid, list uuid, owner uuid, sender text, hash text, mailbox text)) w`;

/** Marks asks once, and counts them on the day whose budget they took. */
const outcome = (what: 'confirmed' | 'bounced', condition: string): string => `
  with marked as (
    update outreach_asks set ${what}_at = now() where ${condition} and ${what}_at is null returning sender, recipient, day, path
  )
  update outreach_days d set own_${what} = d.own_${what} + m.own, public_${what} = d.public_${what} + m.visitors
  from (select sender, day, count(*) filter (where path = 'own') as own, count(*) filter (where path = 'public') as visitors
        from marked where sender is not null and sender <> recipient group by sender, day) m
  where d.sender = m.sender and d.day = m.day`;
