import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { UTC_TODAY } from '../../../shared/database/queries/columns.js';
import type { Address } from '../../../shared/mail/address.js';
import { mailboxHashSql } from '../../auth/index.js';
import type { AskPath } from '../entities/outreach-ask.entity.js';
import { hasLeft, REFUSES_ALL, REFUSES_UNREQUESTED_MAIL } from './refusal-sql.js';

/** How many times an owner may ask a mailbox for one list; afterwards only the person's own request counts. */
export const MAX_OWN_ASKS = 2;
/** How many times an owner may ask a mailbox within 30 days, over all lists. */
export const MAX_OWN_ASKS_LATELY = 3;

/** A person who is to be asked about a list. */
export interface AskTarget {
  contactId: string;
  emailListId: string;
  /** Owner of the list; null for the default list. */
  ownerId: string | null;
  /** Mailbox of the owner; null for the default list. */
  sender: Buffer | null;
  emailHash: Buffer;
  recipient: Buffer;
}

/** Earlier asks and refusals, which decide whether a person may be asked. */
export interface AskHistory {
  /**
   * Whether no sender may ask: the person unsubscribed from everything, complained or opted out, or the address does
   * not exist.
   */
  refusesAll: boolean;
  /** Whether the person unsubscribed from the list's owner; for the default list, from that list. */
  hasLeft: boolean;
  /** Whether the person was asked again after an unsubscribe, by anybody, within the last 30 days. */
  askedSinceLeaving: boolean;
  /** Number of times that this owner asked for this list; asks for deleted lists count for every list. */
  ownAsks: number;
  /** This owner's asks for any list within the last 30 days, newest first. */
  lately: { path: AskPath; at: string }[];
}

/** Whether an owner may ask once more, or the reason against it. */
export type OwnerMayAsk = 'yes' | 'asked_twice' | 'asked_lately';

export interface NewAsk extends Pick<AskTarget, 'emailListId' | 'sender' | 'recipient'> {
  /** Id of the system mail. */
  id: string;
  path: AskPath;
  afterLeaving: boolean;
}

/** Records who was asked about which list, by whom, and the outcome. */
@Injectable()
export class AskRecords {
  /** Earlier asks and refusals of these people, by contact id. */
  async factsOf(em: EntityManager, targets: readonly AskTarget[]): Promise<Map<string, AskHistory>> {
    if (targets.length === 0) return new Map();
    const wanted = targets.map(({ contactId, emailListId, ownerId, sender, emailHash, recipient }) => ({
      id: contactId,
      list: emailListId,
      owner: ownerId,
      sender: hex(sender),
      hash: hex(emailHash),
      mailbox: hex(recipient),
    }));
    const found = await rows<AskHistory & { id: string }>(em, FACTS, [JSON.stringify(wanted)]);
    return new Map(found.map(({ id, ...facts }) => [id, facts]));
  }

  /**
   * Whether an owner may ask a contact once more: at most MAX_OWN_ASKS times for this list, and MAX_OWN_ASKS_LATELY
   * times in 30 days for any list.
   */
  async mayOwnerAsk(
    em: EntityManager,
    list: { id: string; ownerId?: string | null },
    contact: { emailNorm: string },
  ): Promise<OwnerMayAsk> {
    const [found] = await rows<{ asks: number; lately: number }>(
      em,
      `select ${OWN_ASKS_SQL} as asks, (select count(*)::int from ${ASKS_LATELY} and a.path = 'own') as lately
       from (select mailbox_hash(?) as mailbox, ${mailboxHashSql('?::uuid')} as sender, ?::uuid as list) w`,
      [contact.emailNorm, list.ownerId ?? null, list.id],
    );
    if ((found?.asks ?? 0) >= MAX_OWN_ASKS) return 'asked_twice';
    return (found?.lately ?? 0) >= MAX_OWN_ASKS_LATELY ? 'asked_lately' : 'yes';
  }

  /**
   * Whether an account may invite a person. It may not if the mailbox, under any alias, opted out, complained, or
   * unsubscribed from everything, from this account or from the default list, or if the address does not exist.
   */
  async mayInvite(
    em: EntityManager,
    inviterId: string,
    { hash, norm }: Pick<Address, 'hash' | 'norm'>,
  ): Promise<boolean> {
    const [found] = await rows<{ may: boolean }>(
      em,
      `select not (${REFUSES_UNREQUESTED_MAIL}) as may from (select ?::bytea as hash, mailbox_hash(?) as mailbox, ?::uuid as owner) w`,
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
      [
        JSON.stringify(
          asks.map(({ id, sender, recipient, emailListId, path, afterLeaving }) => ({
            id,
            sender: hex(sender),
            recipient: hex(recipient),
            list: emailListId,
            path,
            after_leaving: afterLeaving,
          })),
        ),
      ],
    );
  }

  /**
   * Marks every ask that this mailbox got about this list as confirmed, whether the owner or the person caused it. The
   * asks count towards the confirmation rate of the list's owner, unless the mailbox is the owner's own; otherwise
   * owners could improve their rate by asking themselves.
   */
  async noteConfirmed(em: EntityManager, recipient: Buffer, emailListId: string): Promise<void> {
    await rows(em, outcome('confirmed', 'recipient = ? and email_list_id = ?'), [recipient, emailListId]);
  }

  /** Records a bounce or permanent refusal. */
  async noteBounced(em: EntityManager, mailId: string): Promise<void> {
    await rows(em, outcome('bounced', 'id = ?'), [mailId]);
  }
}

const hex = (hash: Buffer | null): string | null => hash && hash.toString('hex');

/**
 * SQL: number of times that the owner of mailbox `w.sender` asked mailbox `w.mailbox` for list `w.list`, or for deleted
 * lists.
 */
const OWN_ASKS_SQL = `(
  select count(*)::int from outreach_asks a where a.recipient = w.mailbox and a.sender is not distinct from w.sender and a.path = 'own'
    and (a.email_list_id = w.list or not exists (select 1 from email_lists l where l.id = a.email_list_id and l.deleted_at is null)))`;

/** Asks by the owner of mailbox `w.sender` to mailbox `w.mailbox` within the last 30 days, for any list. */
const ASKS_LATELY = `outreach_asks a where a.recipient = w.mailbox and a.sender is not distinct from w.sender and a.asked_at > now() - interval '30 days'`;

const FACTS = `
  select w.id,
         ${REFUSES_ALL} as "refusesAll",
         ${hasLeft('w.owner is null')} as "hasLeft",
         exists (select 1 from outreach_asks a where a.recipient = w.mailbox and a.after_leaving and a.asked_at > now() - interval '30 days') as "askedSinceLeaving",
         ${OWN_ASKS_SQL} as "ownAsks",
         coalesce((select jsonb_agg(jsonb_build_object('path', a.path, 'at', a.asked_at) order by a.asked_at desc) from ${ASKS_LATELY}), '[]') as lately
  from (select j.id, j.list, j.owner, decode(j.sender, 'hex') as sender, decode(j.hash, 'hex') as hash, decode(j.mailbox, 'hex') as mailbox
        from jsonb_to_recordset(?::jsonb) as j(id uuid, list uuid, owner uuid, sender text, hash text, mailbox text)) w`;

/** Marks asks, each at most once, and counts them on the day on which they were sent. */
const outcome = (what: 'confirmed' | 'bounced', condition: string): string => `
  with marked as (
    update outreach_asks set ${what}_at = now() where ${condition} and ${what}_at is null returning sender, recipient, day, path
  )
  update outreach_days d set own_${what} = d.own_${what} + m.own, public_${what} = d.public_${what} + m.visitors
  from (select sender, day, count(*) filter (where path = 'own') as own, count(*) filter (where path = 'public') as visitors
        from marked where sender is not null and sender <> recipient group by sender, day) m
  where d.sender = m.sender and d.day = m.day`;
