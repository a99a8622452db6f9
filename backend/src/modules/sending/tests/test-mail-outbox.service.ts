import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { rows } from '../../../shared/database/queries/rows.js';
import { tooMany } from '../../../shared/http/index.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import type { ReadyMessage } from '../../../shared/mail/smtp/bulk-transport.js';
import { Encryptor } from '../../../shared/mail/system-mail/encryptor.js';
import { keyRing } from '../../../shared/tokens/key-ring.js';
import type { StoredAttachment } from '../../composing/index.js';
import { TestMail } from './test-mail.entity.js';

/** Limits per user: at most `most` test mails within `hours` hours. */
const LIMITS = [
  { hours: 1, most: 30, text: 'You can send 30 tests an hour. Please try again later.' },
  { hours: 24, most: 100, text: 'You can send 100 tests a day. Please try again later.' },
] as const;

/** A composed message, in the form in which it is stored until it is sent. */
export type WaitingTest = Pick<ReadyMessage, 'envelope' | 'head' | 'body' | 'isPlain'> & {
  /**
   * The attached files, which a worker encodes; absent if there are none. The MIME boundaries of the message are
   * derived from `baseBoundary`.
   */
  attached?: { baseBoundary: string; files: StoredAttachment[] };
};

/** A test mail to add to the outbox. */
export interface NewTest {
  id: string;
  addressHash: Buffer;
  /** SHA-256 of the composition. */
  contentHash: Buffer;
  message: WaitingTest;
}

/** Outbox of test mails: adds them within the limits, and decrypts them for the worker. */
@Injectable()
export class TestMailOutbox {
  private readonly encryptor: Encryptor;

  constructor(
    settings: Settings,
    private readonly jobs: JobQueue,
  ) {
    this.encryptor = new Encryptor(keyRing(settings, 'test-mail'));
  }

  /**
   * Adds test mails in the caller's transaction. Call kick() after the commit.
   * @throws 429 `rate_limited`; no mail is then added
   */
  async add(em: EntityManager, userId: string, tests: readonly NewTest[]): Promise<void> {
    await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`test:${userId}`]);
    for (const { hours, most, text } of LIMITS) {
      // `waitMs`: time until enough of the earlier test mails are outside the period.
      const [used] = await rows<{ count: number; waitMs: number | null }>(
        em,
        `select count(*)::int as count, (extract(epoch from (array_agg(created_at order by created_at))[greatest(1, count(*) + ?::int - ?::int)]
           + make_interval(hours => ?::int) - now()) * 1000)::float8 as "waitMs"
         from test_mails where user_id = ? and created_at > now() - make_interval(hours => ?::int)`,
        [tests.length, most, hours, userId, hours],
      );
      if ((used?.count ?? 0) + tests.length > most) throw tooMany(used?.waitMs ?? 0, text);
    }
    await em.insertMany(
      TestMail,
      tests.map(({ id, addressHash, contentHash, message }) => ({
        id,
        userId,
        addressHash,
        contentHash,
        payload: this.encryptor.encrypt(message),
      })),
    );
  }

  /**
   * Whether the user has sent a test mail of this composition that did not fail. Considers only mails that still exist.
   */
  async wasTested(em: EntityManager, userId: string, contentHash: Buffer): Promise<boolean> {
    const found = await rows(
      em,
      `select 1 from test_mails where user_id = ? and content_hash = ? and status <> 'failed' limit 1`,
      [userId, contentHash],
    );
    return found.length > 0;
  }

  open(payload: Uint8Array): WaitingTest {
    return this.encryptor.decrypt<WaitingTest>(payload);
  }

  /** Notifies the workers. If the notification is lost, the mails wait only until the next sweep. */
  async kick(): Promise<void> {
    await this.jobs.kick('tests');
  }
}
