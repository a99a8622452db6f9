import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { MikroORM } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { MailerService } from '@nestjs-modules/mailer';
import { Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { Settings } from '../config/settings.js';
import { rows, changed } from '../database/rows.js';
import { type HandlesJob, JobHandler } from '../jobs/job-handler.js';
import { Metrics } from '../metrics/metrics.service.js';
import { PRODUCT_NAME } from '../words/product.js';
import { EnvelopeSenders } from './envelope-sender.js';
import { SystemMailOutbox } from './system-mail-outbox.js';

const BATCH = 20;
const SWEEP_MS = 5_000;
/** How long a claim holds without being renewed; the fault tests cut it short. */
export const SYSTEM_MAIL_LEASE = { seconds: 60 };
/** Seconds to the next try: half a minute, doubled up to an hour; given up after a day. */
const FIRST_PAUSE = 30;
const LONGEST_PAUSE = 3_600;
const MAX_ATTEMPTS = 32;

interface Claimed {
  id: string;
  attempts: number;
  payload: Buffer;
}

/** Hands system mail over. At least once: a crash between the server's yes and our note repeats it with the same Message-ID. */
@JobHandler('system-mail', 2)
export class SystemMailWorker implements HandlesJob<'system-mail'> {
  private readonly log = new Logger(SystemMailWorker.name);
  /** Mails under way, whose lease this worker renews. */
  private readonly open = new Set<string>();
  private readonly envelopeSenders: EnvelopeSenders;
  private renewal?: NodeJS.Timeout;

  constructor(
    private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly mailer: MailerService,
    private readonly outbox: SystemMailOutbox,
    private readonly settings: Settings,
    private readonly metrics: Metrics,
  ) {
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  async handle(): Promise<void> {
    for (let batch = await this.claim(); batch.length > 0; batch = await this.claim()) {
      await Promise.all(batch.map((mail) => this.deliver(mail)));
    }
  }

  @Interval(SWEEP_MS)
  @CreateRequestContext<SystemMailWorker>((worker) => worker.orm)
  async sweep(): Promise<void> {
    try {
      await this.handle();
    } catch (error) {
      this.log.error({ err: error }, 'system mail sweep failed');
    }
  }

  private claim(): Promise<Claimed[]> {
    return rows<Claimed>(
      this.em,
      `update system_mails set status = 'sending', attempts = attempts + 1, lease_until = now() + make_interval(secs => ?::int)
       where id in (
         select id from system_mails
         where status in ('queued', 'sending') and next_attempt_at <= now() and (lease_until is null or lease_until < now())
         order by next_attempt_at, id limit ? for update skip locked)
       returning id, attempts, payload`,
      [SYSTEM_MAIL_LEASE.seconds, BATCH],
    );
  }

  /** A mail server may take longer than a lease; a worker that died is not waited for as long. */
  private hold(mail: Claimed): void {
    this.open.add(mail.id);
    this.renewal ??= setInterval(() => {
      if (this.open.size > 0) void this.renew([...this.open]).catch(() => undefined);
    }, (SYSTEM_MAIL_LEASE.seconds * 1000) / 3).unref();
  }

  private renew(ids: string[]): Promise<number> {
    return changed(
      this.em.fork(),
      `update system_mails set lease_until = now() + make_interval(secs => ?::int) where id in (select value::uuid from jsonb_array_elements_text(?::jsonb)) and status = 'sending'`,
      [SYSTEM_MAIL_LEASE.seconds, JSON.stringify(ids)],
    );
  }

  private async deliver(mail: Claimed): Promise<void> {
    this.hold(mail);
    try {
      const { to, subject, text, html } = this.outbox.open(mail.payload);
      const { bounceDomain, mailFrom } = this.settings;
      await this.mailer.sendMail({
        to: { name: '', address: to },
        from: { name: PRODUCT_NAME, address: mailFrom },
        envelope: { from: bounceDomain ? this.envelopeSenders.of('s', mail.id, bounceDomain) : mailFrom, to: [to] },
        subject, text, html,
        messageId: `<${mail.id}@${this.settings.mailDomain}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      });
      await this.settle(mail, 'sent', null);
    } catch (error) {
      await this.postponeOrFail(mail, error as Error & { responseCode?: number; command?: string });
    } finally {
      this.open.delete(mail.id);
    }
  }

  private async postponeOrFail(mail: Claimed, error: Error & { responseCode?: number; command?: string }): Promise<void> {
    const refused = (error.responseCode ?? 0) >= 500 && (error.command === 'RCPT TO' || error.command === 'DATA');
    if (refused || mail.attempts >= MAX_ATTEMPTS) return this.settle(mail, 'failed', error.message);
    this.metrics.systemMail('postponed');
    const pause = Math.min(FIRST_PAUSE * 2 ** Math.min(mail.attempts - 1, 10), LONGEST_PAUSE);
    this.log.warn({ mailId: mail.id, attempt: mail.attempts }, `system mail postponed: ${error.message}`);
    await changed(
      this.em,
      `update system_mails set status = 'queued', lease_until = null, last_error = ?, next_attempt_at = now() + make_interval(secs => ?::int)
       where id = ? and attempts = ? and status = 'sending'`,
      [error.message.slice(0, 500), pause, mail.id, mail.attempts],
    );
  }

  private async settle(mail: Claimed, status: 'sent' | 'failed', error: string | null): Promise<void> {
    this.metrics.systemMail(status);
    await changed(
      this.em,
      `update system_mails set status = ?, payload = null, lease_until = null, last_error = ?, sent_at = case when ? = 'sent' then now() end
       where id = ? and status <> 'sent'`,
      [status, error?.slice(0, 500) ?? null, status, mail.id],
    );
  }
}
