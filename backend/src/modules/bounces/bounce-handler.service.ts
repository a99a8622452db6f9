import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import pLimit from 'p-limit';
import { Settings } from '../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../shared/database/queries/rows.js';
import { hashAddress } from '../../shared/mail/address.js';
import { EnvelopeSenders, type KnownMail } from '../../shared/mail/envelope-sender.js';
import { SystemMailOutbox } from '../../shared/mail/system-mail/system-mail-outbox.js';
import { ActivityRollup, SendFinalizer } from '../delivery/index.js';
import { AskOptOuts, AskRecords } from '../lists/index.js';
import { NotificationMailHealth } from '../notifications/index.js';
import { BounceWarnings } from './bounce-warnings.service.js';
import type { ReportResult } from './reputation.dto.js';
import type { FaultClass } from './bounce-report.entity.js';
import { SuppressionPolicy } from './suppression-policy.service.js';
import { bounceOf } from './bounce-class.js';
import { type MailReport, readMailReport, addressOf } from './mail-report.js';

interface Finding {
  class: FaultClass;
  code: string | null;
  said: string | null;
  reason: string;
}

const CONCURRENT = 4;
const COMPLAINT: Finding = { class: 'complaint', code: null, said: null, reason: 'The recipient reported it as spam' };

/**
 * Receives bounce and complaint reports. Commits the effect of a report before it answers; a repeated report changes
 * nothing.
 */
@Injectable()
export class BounceHandler {
  private readonly log = new Logger(BounceHandler.name);
  /** Limits concurrent reports, so that a burst leaves CPU time and database connections for other work. */
  private readonly slots = pLimit(CONCURRENT);
  private readonly envelopeSenders: EnvelopeSenders;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly suppressionPolicy: SuppressionPolicy,
    private readonly finalizer: SendFinalizer,
    private readonly activity: ActivityRollup,
    private readonly systemMail: SystemMailOutbox,
    private readonly asks: AskRecords,
    private readonly optOuts: AskOptOuts,
    private readonly warnings: BounceWarnings,
    private readonly notificationMail: NotificationMailHealth,
  ) {
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  /**
   * Decodes a signed address of the bounce domain.
   * @returns the mail for which the address was issued; null if the signature is invalid
   */
  mailOf(address: string): KnownMail | null {
    return this.envelopeSenders.read(address);
  }

  /**
   * Stores a report and applies its effect.
   * @param recipients envelope recipients of the report, if known
   * @throws if nothing could be written; the reporter has to retry
   */
  async receive(raw: Buffer, recipients: readonly string[] = []): Promise<ReportResult> {
    return this.slots(() => this.take(raw, recipients));
  }

  private async take(raw: Buffer, recipients: readonly string[]): Promise<ReportResult> {
    const report = await readMailReport(raw).catch(() => null);
    if (!report || report.kind === 'none') return 'ignored';
    const mail = [...recipients, ...report.addresses]
      .map((address) => this.mailOf(address))
      .find((known) => known !== null);
    if (!mail) return 'unknown';
    const result = await (mail.kind === 'b' ? this.ofDelivery(mail.id, report) : this.ofSystemMail(mail.id, report));
    if (result === 'counted') this.log.log({ kind: report.kind, mailId: mail.id }, 'a report was counted');
    return result;
  }

  private ofDelivery(id: string, report: MailReport): Promise<ReportResult> {
    return inTransaction(this.em, async (em) => {
      const [delivery] = await rows<{ userId: string; historyId: string; address: string }>(
        em,
        `select user_id as "userId", history_id as "historyId", recipient_email as address from email_delivery_logs where id = ?`,
        [id],
      );
      if (!delivery) return 'unknown';
      const finding = findingOf(report, (address) => address === delivery.address.toLowerCase());
      if (!finding) return 'ignored';
      // Serialises the reports on one send, so that each report sees the effects of the earlier ones.
      await rows(em, `select id from email_history where id = ? for update`, [delivery.historyId]);
      const hash = hashAddress(delivery.address.toLowerCase());
      const reportId = await this.note(em, [
        'delivery',
        id,
        report.key,
        delivery.userId,
        delivery.historyId,
        hash,
        finding.class,
        finding.code,
        finding.said,
      ]);
      if (!reportId) return 'known';
      await this.mark(em, id, finding);
      if (finding.class !== 'complaint') await this.activity.recordBounce(em, id);
      await this.suppressionPolicy.apply(em, reportId);
      await this.finalizer.recount(em, delivery.historyId);
      await this.warnings.checkSometimes(em, delivery.userId);
      return 'counted';
    });
  }

  /** Marks the delivery even while its status is `sending`: a report proves that the remote server has the message. */
  private async mark(em: EntityManager, id: string, { class: name, code, said, reason }: Finding): Promise<void> {
    const isComplaint = name === 'complaint';
    await changed(
      em,
      `update email_delivery_logs
       set status = ?, sent_at = coalesce(sent_at, now()), message_id = coalesce(message_id, ?), transmitting = false, lease_until = null, next_attempt_at = null,
         metadata = coalesce(metadata, '{}') || ?::jsonb
       where id = ? and status in ('queued', 'sending', 'deferred', 'sent', 'unconfirmed'${isComplaint ? `, 'bounced'` : ''})`,
      [
        isComplaint ? 'complained' : 'bounced',
        `<${id}@${this.settings.mailDomain}>`,
        JSON.stringify({ class: name, code, response: said, reason, bouncedAt: new Date().toISOString() }),
        id,
      ],
    );
  }

  private ofSystemMail(id: string, report: MailReport): Promise<ReportResult> {
    return inTransaction(this.em, async (em) => {
      const mail = await this.systemMail.recipientOf(em, id);
      if (!mail) return 'unknown';
      const finding = findingOf(report, (address) => hashAddress(address).equals(mail.recipientHash));
      if (!finding) return 'ignored';
      if (finding.class === 'complaint') return (await this.complained(em, { id, ...mail })) ? 'counted' : 'ignored';
      const reportId = await this.note(em, [
        'system',
        id,
        report.key,
        null,
        null,
        mail.recipientHash,
        finding.class,
        finding.code,
        finding.said,
      ]);
      if (!reportId) return 'known';
      await this.systemMail.noteBounce(em, id, finding.said ?? finding.reason);
      await this.asks.noteBounced(em, id);
      await this.notificationMail.noteBounce(em, { id, kind: mail.kind });
      await this.suppressionPolicy.apply(em, reportId);
      this.log.warn({ mailId: id, kind: mail.kind, class: finding.class, code: finding.code }, 'a system mail bounced');
      return 'counted';
    });
  }

  /**
   * A complaint about a notification stops notification mail. A complaint about an opt-in mail or an invite counts as
   * an opt-out.
   * @returns false for other system mail
   */
  private async complained(
    em: EntityManager,
    mail: { id: string; kind: string; recipientHash: Buffer },
  ): Promise<boolean> {
    return (await this.notificationMail.noteComplaint(em, mail)) || this.optOuts.noteComplaint(em, mail);
  }

  private async note(em: EntityManager, values: readonly unknown[]): Promise<string | undefined> {
    const [noted] = await rows<{ id: string }>(
      em,
      `insert into bounce_reports (mail_kind, mail_id, report_key, user_id, history_id, address_hash, class, code, said) values (?, ?, ?, ?, ?, ?, ?, ?, ?)
       on conflict (mail_kind, mail_id, report_key) do nothing returning id`,
      values,
    );
    return noted?.id;
  }
}

/** Uses only the field group of our own recipient, because a report may describe other recipients as well. */
function findingOf(report: MailReport, isOurs: (address: string) => boolean): Finding | null {
  if (report.kind === 'complaint') return COMPLAINT;
  const ours = report.recipients.find((group) =>
    [group.get('original-recipient'), group.get('final-recipient')].some((value) => value && isOurs(addressOf(value))),
  );
  return ours ? bounceOf(ours) : null;
}
