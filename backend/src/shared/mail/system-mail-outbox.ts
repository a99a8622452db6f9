import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../config/settings.js';
import { newId } from '../database/columns.js';
import { rows } from '../database/rows.js';
import { JobQueue } from '../jobs/job-queue.js';
import { keyRing } from '../tokens/key-ring.js';
import { Sealer } from './sealed.js';
import { type RenderedMail, renderSystemMail, type SystemMailContent } from './system-mail-content.js';
import { SystemMail } from './system-mail.entity.js';

export interface OutgoingSystemMail {
  /** `module.purpose`. */
  kind: string;
  to: string;
  /** SHA-256 of the normalised address, for throttles. */
  recipientHash: Buffer;
  /** What it is about (a list, a user). */
  subjectId?: string | null;
  content: SystemMailContent;
}

export interface SealedMail extends RenderedMail {
  to: string;
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
    const id = newId();
    const payload = this.sealer.seal({ to: mail.to, ...renderSystemMail(mail.content) } satisfies SealedMail);
    await em.insert(SystemMail, { id, kind: mail.kind, recipientHash: mail.recipientHash, subjectId: mail.subjectId ?? null, payload });
    return id;
  }

  /** Tells the workers; losing this only costs the sweeper's interval. */
  async kick(): Promise<void> {
    await this.jobs.enqueue('system-mail', {});
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

  /** How many mails of a kind each address was owed since a time: hex hash → times of the mails, newest first, with their subject ids. */
  async recentOf(em: EntityManager, kind: string, hashes: Buffer[], hours: number): Promise<Map<string, { subjectId: string | null; createdAt: Date }[]>> {
    const found = await rows<{ hash: string; subject_id: string | null; created_at: string }>(
      em,
      `select encode(recipient_hash, 'hex') as hash, subject_id, created_at from system_mails
       where kind = ? and created_at > now() - make_interval(hours => ?::int)
         and recipient_hash = any (select decode(value, 'hex') from jsonb_array_elements_text(?::jsonb))
       order by created_at desc`,
      [kind, hours, JSON.stringify(hashes.map((hash) => hash.toString('hex')))],
    );
    const byHash = new Map<string, { subjectId: string | null; createdAt: Date }[]>();
    for (const row of found) {
      const mails = byHash.get(row.hash) ?? [];
      mails.push({ subjectId: row.subject_id, createdAt: new Date(row.created_at) });
      byHash.set(row.hash, mails);
    }
    return byHash;
  }
}
