import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { newId } from '../database/columns.js';
import { changed, rows } from '../database/rows.js';
import { JobQueue } from '../jobs/job-queue.js';
import { keyRing } from '../tokens/key-ring.js';
import { Sealer } from './sealed.js';
import { type RenderedMail, renderSystemMail, type SystemMailContent } from './system-mail-content.js';
import { hashMailbox } from './mailbox.js';
import { SYSTEM_MAIL_PRIORITY, SystemMail, type SystemMailPriority } from './system-mail.entity.js';

export interface OutgoingSystemMail {
  /** `module.purpose`. */
  kind: string;
  to: string;
  /** SHA-256 of the normalised address, for throttles. */
  recipientHash: Buffer;
  /** What it is about (a list, a user). */
  subjectId?: string | null;
  content: SystemMailContent;
  /** Default: account. */
  priority?: SystemMailPriority;
  /** Address that a mail program POSTs to so that no such mail comes again (RFC 8058); for mail that was not asked for. */
  oneClickUrl?: string;
}

export interface SealedMail extends RenderedMail {
  to: string;
  oneClickUrl?: string;
}

/** A mail of a kind that an address got, or is about to get. */
export interface RecentMail {
  subjectId: string | null;
  createdAt: Date;
}

/** System mail is owed from the moment its row is committed; the worker hands it over, now or after a crash. */
@Injectable()
export class SystemMailOutbox {
  private readonly sealer: Sealer;

  constructor(
    settings: Settings,
    private readonly jobs: JobQueue,
  ) {
    this.sealer = new Sealer(keyRing(settings, 'system-mail'));
  }

  /** Adds a mail within the caller's transaction; call kick() after the commit. @returns the row's id */
  async enqueue(em: EntityManager, mail: OutgoingSystemMail): Promise<string> {
    return (await this.enqueueAll(em, [mail]))[0]!;
  }

  /** The same for many, in one statement. @returns the rows' ids, in order */
  async enqueueAll(em: EntityManager, mails: readonly OutgoingSystemMail[]): Promise<string[]> {
    const found = mails.map((mail) => ({
      id: newId(), kind: mail.kind, recipientHash: mail.recipientHash, subjectId: mail.subjectId ?? null, priority: SYSTEM_MAIL_PRIORITY[mail.priority ?? 'account'],
      recipientMailbox: hashMailbox(mail.to.toLowerCase()),
      payload: this.sealer.seal({ to: mail.to, oneClickUrl: mail.oneClickUrl, ...renderSystemMail(mail.content) } satisfies SealedMail),
    }));
    if (found.length > 0) await em.insertMany(SystemMail, found);
    return found.map(({ id }) => id);
  }

  /** Tells the workers; losing this only costs the sweeper's interval. */
  async kick(): Promise<void> {
    await this.jobs.kick('system-mail');
  }

  open(payload: Uint8Array): SealedMail {
    return this.sealer.open<SealedMail>(payload);
  }

  /** Whom a mail went to; undefined for an unknown one. */
  async recipientOf(em: EntityManager, id: string): Promise<{ kind: string; recipientHash: Buffer } | undefined> {
    return (await rows<{ kind: string; recipientHash: Buffer }>(em, `select kind, recipient_hash as "recipientHash" from system_mails where id = ? for update`, [id]))[0];
  }

  /** A mail that came back: it counts as failed and is not tried again. */
  async noteBounce(em: EntityManager, id: string, reason: string): Promise<void> {
    await rows(
      em,
      `update system_mails set status = 'failed', payload = null, lease_until = null, last_error = ? where id = ?`,
      [`Came back: ${reason}`.slice(0, 500), id],
    );
  }

  /** How many mails of a kind and priority wait for their turn now, at most so many. */
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
   * Mails of a kind that wait for the mail server, or for another try, do not go out any more unless they are still wanted.
   * @param wanted condition on the mail `m`, in SQL
   */
  async withdrawUnless(em: EntityManager, kind: string, wanted: string, reason: string): Promise<number> {
    return changed(
      em,
      `update system_mails m set status = 'failed', payload = null, lease_until = null, last_error = ?
       where m.kind = ? and (m.status = 'queued' or (m.status = 'sending' and m.lease_until < now())) and not (${wanted})`,
      [reason, kind],
    );
  }

  /** The mails of a kind that each mailbox was owed since a time: hex hash of the mailbox → mails, newest first. */
  async recentOf(em: EntityManager, kind: string, mailboxes: Buffer[], hours: number): Promise<Map<string, RecentMail[]>> {
    const found = await rows<{ mailbox: string; subject_id: string | null; created_at: string }>(
      em,
      `select encode(recipient_mailbox, 'hex') as mailbox, subject_id, created_at from system_mails
       where kind = ? and created_at > now() - make_interval(hours => ?::int)
         and recipient_mailbox = any (array(select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb)))
       order by created_at desc`,
      [kind, hours, JSON.stringify(mailboxes.map((mailbox) => mailbox.toString('hex')))],
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
