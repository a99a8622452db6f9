import { EntityManager } from '@mikro-orm/postgresql';
import { type BeforeApplicationShutdown, Inject, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { RowLeases } from '../../../shared/database/queries/row-leases.js';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { type HandlesJob, JobHandler } from '../../../shared/jobs/job-handler.js';
import { WorkSlots } from '../../../shared/jobs/work-slots.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { type MailTransport, TEST_TRANSPORT } from '../../../shared/mail/smtp/bulk-transport.js';
import { type SmtpFault, type Verdict, verdictOf } from '../../../shared/mail/smtp/smtp-verdict.js';
import { Accounts } from '../../auth/index.js';
import { AttachmentStore, Testers } from '../../composing/index.js';
import { AttachmentsUnavailable, AttachmentEncoder } from '../../delivery/index.js';
import { Suppressions } from '../../lists/index.js';
import { TestMailOutbox } from './test-mail-outbox.service.js';

/** Maximum number of test mails that are sent concurrently. */
const SLOTS = 2;
const SWEEP_MS = 5_000;
/** Duration of the lease of a claimed test mail. Automated tests shorten it. */
export const TEST_MAIL_LEASE = { seconds: 60 };
/**
 * Seconds until the second attempt. The pause doubles after each attempt. A test mail is given up after about eight
 * minutes, when nobody waits for it any more.
 */
const FIRST_PAUSE_SECONDS = 15;
const MAX_ATTEMPTS = 6;

/** Verdict if the attached files cannot be read at the moment. */
const NO_FILES: Verdict = {
  kind: 'temporary',
  class: 'transient',
  reason: 'The attached files cannot be read at the moment',
};

interface Claimed {
  id: string;
  userId: string;
  addressHash: Buffer;
  attempts: number;
  payload: Buffer;
}

/**
 * Sends test mails at least once: after a crash between the server's acceptance and the commit, the mail is sent again
 * with the same Message-ID.
 */
@JobHandler('tests', 1)
export class TestMailWorker implements HandlesJob<'tests'>, BeforeApplicationShutdown {
  private readonly log = new Logger(TestMailWorker.name);
  private readonly leases: RowLeases;
  private readonly slots = new WorkSlots(
    SLOTS,
    () => this.takeOne(),
    (error) =>
      this.log.error({ err: error, code: 'tests_unread' }, 'tests could not be read; the next sweep tries again'),
  );

  constructor(
    private readonly em: EntityManager,
    private readonly outbox: TestMailOutbox,
    private readonly testers: Testers,
    private readonly accounts: Accounts,
    private readonly suppressions: Suppressions,
    private readonly attachments: AttachmentStore,
    private readonly encoder: AttachmentEncoder,
    @Inject(TEST_TRANSPORT) private readonly transport: MailTransport,
  ) {
    this.leases = new RowLeases(em, 'test_mails', TEST_MAIL_LEASE);
  }

  handle(): Promise<void> {
    this.slots.notify();
    return Promise.resolve();
  }

  @Interval(SWEEP_MS)
  sweep(): Promise<void> {
    return this.handle();
  }

  /** Takes no more test mails, and waits for those in progress. */
  beforeApplicationShutdown(): Promise<void> {
    return this.slots.stop();
  }

  private async takeOne(): Promise<boolean> {
    const test = await this.claim();
    if (test) await this.deliver(test);
    return test !== undefined;
  }

  private async claim(): Promise<Claimed | undefined> {
    const [test] = await rows<Claimed>(
      this.em.fork(),
      `update test_mails set status = 'sending', attempts = attempts + 1, lease_until = now() + make_interval(secs => ?::int)
       where id = (
         select id from test_mails
         where status in ('queued', 'sending') and next_attempt_at <= now() and (lease_until is null or lease_until < now())
         order by next_attempt_at, id limit 1 for update skip locked)
       returning id, user_id as "userId", address_hash as "addressHash", attempts, payload`,
      [TEST_MAIL_LEASE.seconds],
    );
    return test;
  }

  private async deliver(test: Claimed): Promise<void> {
    this.leases.hold(test.id);
    try {
      const refusal = (await this.refusal(test)) ?? (await this.fileRefusal(test));
      if (refusal) return await this.settle(test, 'failed', refusal);
      const verdict = await this.send(test);
      await (verdict ? this.postponeOrFail(test, verdict) : this.settle(test, 'sent', null));
    } finally {
      this.leases.release(test.id);
    }
  }

  /**
   * Sends the message of a claimed test mail. Errors of the database are not converted to a verdict: they end the slot,
   * and the mail is claimed again after its lease.
   * @returns null if the server accepted the message
   */
  private async send({ payload }: Claimed): Promise<Verdict | null> {
    try {
      const { attached, ...message } = this.outbox.open(payload);
      const tail = attached && (await this.encoder.of(attached.baseBoundary, () => attached.files));
      await this.transport.send(tail ? { ...message, tail } : message);
      return null;
    } catch (error) {
      return error instanceof AttachmentsUnavailable ? NO_FILES : verdictOf(error as SmtpFault);
    }
  }

  /**
   * Why the test mail must not be sent any more. Account, tester and address may have changed since it was accepted.
   * @returns null if the mail may be sent
   */
  private async refusal({ userId, addressHash }: Claimed): Promise<string | null> {
    const em = this.em.fork();
    const hash = Buffer.from(addressHash);
    const [account] = await this.accounts.sendersOf([userId]);
    if (!account) return 'your account may not send';
    const isOwn = hashAddress(account.emailNorm).equals(hash);
    if (!isOwn && !(await this.testers.confirmed(em, userId, [hash])).has(hash.toString('hex')))
      return 'the tester was removed';
    return (await this.suppressions.takeNothing(em, [hash])).size > 0
      ? 'the address does not take mail any more'
      : null;
  }

  /**
   * Why the attached files must not be sent any more.
   * @returns null if the files may be sent
   */
  private async fileRefusal({ payload }: Claimed): Promise<string | null> {
    const keys = this.attachedKeys(payload);
    return keys.length === 0 || (await this.attachments.mayBeSent(keys))
      ? null
      : 'an attached file was deleted or replaced';
  }

  /** Storage keys of the attached files. Empty for a message that cannot be decrypted: sending it reports the error. */
  private attachedKeys(payload: Buffer): string[] {
    try {
      return this.outbox.open(payload).attached?.files.map(({ storageKey }) => storageKey) ?? [];
    } catch {
      return [];
    }
  }

  private async postponeOrFail(test: Claimed, verdict: Verdict): Promise<void> {
    const reason = verdict.class === 'hard-address' ? 'mailbox unknown' : lowerFirst(verdict.reason);
    if (verdict.kind === 'permanent' || test.attempts >= MAX_ATTEMPTS) return this.settle(test, 'failed', reason);
    this.log.warn({ testId: test.id, attempt: test.attempts, class: verdict.class }, 'a test was postponed');
    await changed(
      this.em.fork(),
      `update test_mails set status = 'queued', lease_until = null, reason = ?, next_attempt_at = now() + make_interval(secs => ?::int)
       where id = ? and attempts = ? and status = 'sending'`,
      [reason, FIRST_PAUSE_SECONDS * 2 ** (test.attempts - 1), test.id, test.attempts],
    );
  }

  private async settle({ id }: Claimed, status: 'sent' | 'failed', reason: string | null): Promise<void> {
    await changed(
      this.em.fork(),
      `update test_mails set status = ?, payload = null, lease_until = null, reason = ?, settled_at = now() where id = ? and status <> 'sent'`,
      [status, reason, id],
    );
  }
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
