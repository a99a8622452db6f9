import { EntityManager } from '@mikro-orm/postgresql';
import { MailerService } from '@nestjs-modules/mailer';
import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../../config/settings.js';
import { RowLeases } from '../../database/queries/row-leases.js';
import { rows, changed } from '../../database/queries/rows.js';
import { EventBus } from '../../events/event-bus.js';
import { type HandlesJob, JobHandler } from '../../jobs/job-handler.js';
import { WorkSlots } from '../../jobs/work-slots.js';
import { Metrics } from '../../metrics/metrics.service.js';
import { PRODUCT_NAME } from '../../enums.js';
import { EnvelopeSenders } from '../envelope-sender.js';
import { type ClaimedMail, SystemMailOutbox } from './system-mail-outbox.js';
import { SYSTEM_MAIL_PRIORITY } from './system-mail.entity.js';

/** Number of connections reserved for system mail, so that it never waits for bulk mail. */
export const SYSTEM_CONNECTIONS = 3;

/** Number of mails sent in parallel. There is one per connection, so that urgent mail does not wait in the pool. */
const SLOTS = SYSTEM_CONNECTIONS;
/**
 * Maximum number of slots for unrequested mail. The remaining slot stays free for urgent mail, such as a password
 * reset, if the server is slow.
 */
const UNASKED_SLOTS = SLOTS - 1;
const SWEEP_MS = 5_000;
/** Duration of the lease of a claimed mail. Fault tests shorten it. */
export const SYSTEM_MAIL_LEASE = { seconds: 60 };
/**
 * Seconds until the second attempt. The pause doubles after each attempt, up to an hour; a mail is given up after about
 * a day.
 */
const FIRST_PAUSE_SECONDS = 30;
const MAX_PAUSE_SECONDS = 3_600;
const MAX_ATTEMPTS = 32;

interface Claimed extends ClaimedMail {
  priority: number;
  payload: Buffer;
}

/**
 * Sends system mail at least once: after a crash between the server's acceptance and the commit, the mail is sent again
 * with the same Message-ID.
 */
@JobHandler('system-mail', 1)
export class SystemMailWorker implements HandlesJob<'system-mail'>, BeforeApplicationShutdown {
  private readonly log = new Logger(SystemMailWorker.name);
  private readonly leases: RowLeases;
  private readonly envelopeSenders: EnvelopeSenders;
  private readonly slots = new WorkSlots(
    SLOTS,
    () => this.takeOne(),
    (error) =>
      this.log.error(
        { err: error, code: 'system_mail_unread' },
        'system mail could not be read; the next sweep tries again',
      ),
  );
  private unaskedUnderWay = 0;

  constructor(
    private readonly em: EntityManager,
    private readonly mailer: MailerService,
    private readonly outbox: SystemMailOutbox,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
    private readonly events: EventBus,
  ) {
    this.leases = new RowLeases(em, 'system_mails', SYSTEM_MAIL_LEASE);
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  handle(): Promise<void> {
    this.slots.notify();
    return Promise.resolve();
  }

  @Interval(SWEEP_MS)
  sweep(): Promise<void> {
    return this.handle();
  }

  /** Takes no more mail, and waits for mails in progress. */
  beforeApplicationShutdown(): Promise<void> {
    return this.slots.stop();
  }

  /** Sends the most urgent due mail. @returns false if none is due */
  private async takeOne(): Promise<boolean> {
    const mayUnasked = this.unaskedUnderWay < UNASKED_SLOTS;
    if (mayUnasked) this.unaskedUnderWay += 1;
    try {
      const mail = await this.claim(mayUnasked);
      if (mail && mayUnasked && mail.priority < SYSTEM_MAIL_PRIORITY.unasked) {
        this.unaskedUnderWay -= 1;
        await this.deliver(mail).finally(() => (this.unaskedUnderWay += 1));
      } else if (mail) await this.deliver(mail);
      return mail !== undefined;
    } finally {
      if (mayUnasked) this.unaskedUnderWay -= 1;
    }
  }

  private async claim(mayUnasked: boolean): Promise<Claimed | undefined> {
    const [mail] = await rows<Claimed>(
      this.em.fork(),
      `update system_mails set status = 'sending', attempts = attempts + 1, lease_until = now() + make_interval(secs => ?::int)
       where id = (
         select id from system_mails
         where status in ('queued', 'sending') and next_attempt_at <= now() and (lease_until is null or lease_until < now()) and priority <= ?
         order by priority, next_attempt_at, id limit 1 for update skip locked)
       returning id, attempts, priority, kind, payload`,
      [SYSTEM_MAIL_LEASE.seconds, mayUnasked ? SYSTEM_MAIL_PRIORITY.unasked : SYSTEM_MAIL_PRIORITY.unasked - 1],
    );
    return mail;
  }

  private async deliver(mail: Claimed): Promise<void> {
    this.leases.hold(mail.id);
    try {
      const recheck = await this.outbox.recheck(this.em.fork(), mail);
      if (recheck === 'cancelled') this.metrics.systemMail('cancelled');
      if (recheck !== 'send') return;
      const { to, subject, text, html, oneClickUrl } = this.outbox.open(mail.payload);
      const { bounceDomain, mailFrom } = this.settings;
      await this.mailer.sendMail({
        to: { name: '', address: to },
        from: { name: PRODUCT_NAME, address: mailFrom },
        envelope: { from: bounceDomain ? this.envelopeSenders.of('s', mail.id, bounceDomain) : mailFrom, to: [to] },
        subject,
        text,
        html,
        messageId: `<${mail.id}@${this.settings.mailDomain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All', ...oneClick(oneClickUrl) },
      });
      await this.settle(mail, 'sent', null);
    } catch (error) {
      await this.postponeOrFail(mail, error as Error & { responseCode?: number; command?: string });
    } finally {
      this.leases.release(mail.id);
    }
  }

  private async postponeOrFail(
    mail: Claimed,
    error: Error & { responseCode?: number; command?: string },
  ): Promise<void> {
    const refused = (error.responseCode ?? 0) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA');
    if (refused || mail.attempts >= MAX_ATTEMPTS) {
      await this.settle(mail, 'failed', error.message);
      if (refused) await this.events.emit('system-mail.refused', { mailId: mail.id, kind: mail.kind });
      return;
    }
    this.metrics.systemMail('postponed');
    const pause = Math.min(FIRST_PAUSE_SECONDS * 2 ** Math.min(mail.attempts - 1, 10), MAX_PAUSE_SECONDS);
    this.log.warn({ mailId: mail.id, attempt: mail.attempts }, `system mail postponed: ${error.message}`);
    await changed(
      this.em.fork(),
      `update system_mails set status = 'queued', lease_until = null, last_error = ?, next_attempt_at = now() + make_interval(secs => ?::int)
       where id = ? and attempts = ? and status = 'sending'`,
      [error.message.slice(0, 500), pause, mail.id, mail.attempts],
    );
  }

  private async settle(mail: Claimed, status: 'sent' | 'failed', error: string | null): Promise<void> {
    this.metrics.systemMail(status);
    await changed(
      this.em.fork(),
      `update system_mails set status = ?, payload = null, lease_until = null, last_error = ?, sent_at = case when ? = 'sent' then now() end
       where id = ? and status <> 'sent'`,
      [status, error?.slice(0, 500) ?? null, status, mail.id],
    );
  }
}

/**
 * Headers for one-click unsubscribe. They keep the URL on one line, because relays broke the signature of folded
 * headers.
 */
const oneClick = (url: string | undefined): Record<string, string | { prepared: boolean; value: string }> =>
  url
    ? {
        'List-Unsubscribe': { prepared: true, value: `<${url}>` },
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }
    : {};
