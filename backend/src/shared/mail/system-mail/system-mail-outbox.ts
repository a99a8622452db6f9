import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../config/settings.js';
import { newId } from '../../database/queries/columns.js';
import { changed, rows } from '../../database/queries/rows.js';
import { JobQueue } from '../../jobs/job-queue.js';
import { keyRing } from '../../tokens/key-ring.js';
import { Encryptor } from './encryptor.js';
import { type RenderedMail, renderSystemMail, type SystemMailContent } from './system-mail-content.js';
import { hashMailbox } from '../address.js';
import { SYSTEM_MAIL_PRIORITY, SystemMail, type SystemMailPriority } from './system-mail.entity.js';

export interface OutgoingSystemMail {
  /** Kind in the form `module.purpose`, such as auth.verify. */
  kind: string;
  to: string;
  /** SHA-256 of the normalised address, for throttling and for the conditions of the kind. */
  recipientHash: Buffer;
  /** Id of the list, user or invite that the mail is about. */
  subjectId?: string | null;
  content: SystemMailContent;
  /** Default: `account`. */
  priority?: SystemMailPriority;
  /** One-click unsubscribe URL (RFC 8058), for mail that the recipient did not ask for. */
  oneClickUrl?: string;
}

export interface PendingMail extends RenderedMail {
  to: string;
  oneClickUrl?: string;
}

/** Conditions for sending the mails of a kind: SQL on the mail `m`, without parameters. */
export interface SystemMailConditions {
  /** The sender may still send the mail. */
  wanted: string;
  /** The recipient has not opted out of the mail. */
  notOptedOut: string;
  /** Stored as the last error of a mail that is not wanted. */
  unwantedReason: string;
}

/** Result of the check right before an attempt. `lost`: the mail was cancelled, or another worker has claimed it since. */
export type Recheck = 'send' | 'cancelled' | 'lost';

/** A mail that a worker has claimed for one attempt. */
export interface ClaimedMail {
  id: string;
  kind: string;
  /** Number of attempts, including this one. */
  attempts: number;
}

/** Stored as the last error of a mail whose recipient opted out while it waited. */
const OPTED_OUT_REASON = 'The recipient has opted out of such mail, or the address does not exist';

/** SQL assignments that end a mail without sending it; the last error follows. */
const GIVE_UP = `status = 'failed', payload = null, lease_until = null, last_error =`;

/** A recent mail to an address, whether sent or still waiting. */
export interface RecentMail {
  subjectId: string | null;
  createdAt: Date;
}

/**
 * Transactional outbox for system mail: once the row of a mail is committed, a worker delivers the mail, even after a
 * crash.
 */
@Injectable()
export class SystemMailOutbox {
  private readonly encryptor: Encryptor;
  private readonly conditions = new Map<string, SystemMailConditions>();

  constructor(
    settings: Settings,
    private readonly jobs: JobQueue,
  ) {
    this.encryptor = new Encryptor(keyRing(settings, 'system-mail'));
  }

  /**
   * Adds a mail in the caller's transaction. Call kick() after the commit.
   * @returns the row's id
   */
  async enqueue(em: EntityManager, mail: OutgoingSystemMail): Promise<string> {
    return (await this.enqueueAll(em, [mail]))[0]!;
  }

  /**
   * Like enqueue, for many mails in one statement.
   * @returns the ids, in order
   */
  async enqueueAll(em: EntityManager, mails: readonly OutgoingSystemMail[]): Promise<string[]> {
    const found = mails.map((mail) => ({
      id: newId(),
      kind: mail.kind,
      recipientHash: mail.recipientHash,
      subjectId: mail.subjectId ?? null,
      priority: SYSTEM_MAIL_PRIORITY[mail.priority ?? 'account'],
      recipientMailbox: hashMailbox(mail.to.toLowerCase()),
      payload: this.encryptor.encrypt({
        to: mail.to,
        oneClickUrl: mail.oneClickUrl,
        ...renderSystemMail(mail.content),
      } satisfies PendingMail),
    }));
    if (found.length > 0) await em.insertMany(SystemMail, found);
    return found.map(({ id }) => id);
  }

  /** Notifies the workers. If the notification is lost, the mail waits only until the next sweep. */
  async kick(): Promise<void> {
    await this.jobs.kick('system-mail');
  }

  open(payload: Uint8Array): PendingMail {
    return this.encryptor.decrypt<PendingMail>(payload);
  }

  /**
   * Kind and recipient of a mail. Locks the row until the end of the transaction.
   * @returns undefined for an unknown id
   */
  async recipientOf(em: EntityManager, id: string): Promise<{ kind: string; recipientHash: Buffer } | undefined> {
    return (
      await rows<{ kind: string; recipientHash: Buffer }>(
        em,
        `select kind, recipient_hash as "recipientHash" from system_mails where id = ? for update`,
        [id],
      )
    )[0];
  }

  /** Marks a mail that bounced as failed, so that it is not sent again. */
  async noteBounce(em: EntityManager, id: string, reason: string): Promise<void> {
    await rows(em, `update system_mails set ${GIVE_UP} ? where id = ?`, [`Came back: ${reason}`.slice(0, 500), id]);
  }

  /**
   * Cancels a queued mail, usually one that the same transaction has enqueued. The mail still counts towards rate
   * limits.
   */
  async withdraw(em: EntityManager, id: string, reason: string): Promise<void> {
    await changed(em, `update system_mails set ${GIVE_UP} ? where id = ? and status = 'queued'`, [reason, id]);
  }

  /**
   * Registers the conditions for the mails of a kind. Call it while the application starts. Mails of a kind without
   * conditions are always sent.
   */
  registerConditions(kind: string, conditions: SystemMailConditions): void {
    this.conditions.set(kind, conditions);
  }

  /**
   * Checks the conditions of a claimed mail again right before it is sent, and cancels the mail if they are not met. One
   * statement for a kind with conditions, none for others.
   */
  async recheck(em: EntityManager, { id, kind, attempts }: ClaimedMail): Promise<Recheck> {
    const conditions = this.conditions.get(kind);
    if (!conditions) return 'send';
    const { wanted, notOptedOut, unwantedReason } = conditions;
    const [mail] = await rows<{ maySend: boolean }>(
      em,
      `with mail as materialized (
         select m.id, m.attempts, (${wanted}) as wanted, (${notOptedOut}) as not_opted_out from system_mails m
         where m.id = ? and m.status = 'sending' and m.attempts = ?
       ), cancelled as (
         update system_mails m set ${GIVE_UP} case when mail.wanted then ? else ? end
         from mail where m.id = mail.id and m.attempts = mail.attempts and m.status = 'sending' and not (mail.wanted and mail.not_opted_out)
       )
       select wanted and not_opted_out as "maySend" from mail`,
      [id, attempts, OPTED_OUT_REASON, unwantedReason],
    );
    if (!mail) return 'lost';
    return mail.maySend ? 'send' : 'cancelled';
  }

  /** Number of due mails of this kind and priority, counted up to `atMost`. */
  async waiting(em: EntityManager, kind: string, priority: SystemMailPriority, atMost: number): Promise<number> {
    const [found] = await rows<{ waiting: number }>(
      em,
      `select count(*)::int as waiting from (
         select 1 from system_mails where kind = ? and priority = ? and status in ('queued', 'sending') and next_attempt_at <= now() limit ?) waiting`,
      [kind, SYSTEM_MAIL_PRIORITY[priority], atMost],
    );
    return found?.waiting ?? 0;
  }

  /**
   * Cancels the unsent mails of this kind that are no longer wanted.
   * @param wanted SQL condition on the mail `m`
   * @returns number of cancelled mails
   */
  async withdrawUnless(em: EntityManager, kind: string, wanted: string, reason: string): Promise<number> {
    return changed(
      em,
      `update system_mails m set ${GIVE_UP} ?
       where m.kind = ? and (m.status = 'queued' or (m.status = 'sending' and m.lease_until < now())) and not (${wanted})`,
      [reason, kind],
    );
  }

  /**
   * Delays the unsent mails of this kind about this subject, so that they are sent in `seconds` seconds at the
   * earliest.
   */
  async postpone(em: EntityManager, kind: string, subjectId: string, seconds: number): Promise<void> {
    await rows(
      em,
      `update system_mails set next_attempt_at = greatest(next_attempt_at, now() + make_interval(secs => ?::int))
       where kind = ? and subject_id = ? and status in ('queued', 'sending') and (lease_until is null or lease_until < now())`,
      [seconds, kind, subjectId],
    );
  }

  /**
   * Mails of these kinds to each mailbox within the last `hours` hours, newest first.
   * @returns keyed by the mailbox's hash in hex
   */
  async recentOf(
    em: EntityManager,
    kinds: string | readonly string[],
    mailboxes: Buffer[],
    hours: number,
  ): Promise<Map<string, RecentMail[]>> {
    const found = await rows<{ mailbox: string; subject_id: string | null; created_at: string }>(
      em,
      `select encode(recipient_mailbox, 'hex') as mailbox, subject_id, created_at from system_mails
       where kind = any (array(select jsonb_array_elements_text(?::jsonb))) and created_at > now() - make_interval(hours => ?::int)
         and recipient_mailbox = any (array(select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb)))
       order by created_at desc`,
      [JSON.stringify([kinds].flat()), hours, JSON.stringify(mailboxes.map((mailbox) => mailbox.toString('hex')))],
    );
    const byMailbox = new Map<string, RecentMail[]>();
    for (const row of found) {
      const mails = byMailbox.get(row.mailbox) ?? [];
      mails.push({ subjectId: row.subject_id, createdAt: new Date(row.created_at) });
      byMailbox.set(row.mailbox, mails);
    }
    return byMailbox;
  }
}
