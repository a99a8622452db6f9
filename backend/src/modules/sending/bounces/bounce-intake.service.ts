import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, rows } from '../../../shared/database/rows.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { EnvelopeSenders, type KnownMail } from '../../../shared/mail/envelope-sender.js';
import { SystemMailOutbox } from '../../../shared/mail/system-mail-outbox.js';
import { AskOptOuts, AskRecords } from '../../lists/index.js';
import type { ReportResult } from '../dto/bounce.dto.js';
import type { FaultClass } from '../entities/bounce-report.entity.js';
import { SendOutcome } from '../send-outcome.service.js';
import { AddressFaults } from './address-faults.service.js';
import { bounceOf } from './bounce-class.js';
import { type MailReport, readMailReport } from './mail-report.js';
import { addressOf } from './report-fields.js';

interface Finding {
  class: FaultClass;
  code: string | null;
  said: string | null;
  reason: string;
}

const AT_A_TIME = 4;
const COMPLAINT: Finding = { class: 'complaint', code: null, said: null, reason: 'The recipient reported it as spam' };

/** Takes bounce and complaint reports in. Once it has answered, the report's effect is committed; the same report again changes nothing. */
@Injectable()
export class BounceIntake {
  private readonly log = new Logger(BounceIntake.name);
  private running = 0;
  private readonly waiting: (() => void)[] = [];
  private readonly envelopeSenders: EnvelopeSenders;

  constructor(
    private readonly em: EntityManager,
    private readonly settings: Settings,
    private readonly faults: AddressFaults,
    private readonly outcome: SendOutcome,
    private readonly systemMail: SystemMailOutbox,
    private readonly asks: AskRecords,
    private readonly optOuts: AskOptOuts,
  ) {
    this.envelopeSenders = new EnvelopeSenders(settings);
  }

  /** The mail that an address at the bounce domain names; null where it is not one that we made. */
  mailOf(address: string): KnownMail | null {
    return this.envelopeSenders.read(address);
  }

  /**
   * @param recipients whom the report was addressed to, where its envelope is known
   * @throws where nothing could be written: the report has to come again
   */
  async receive(raw: Buffer, recipients: readonly string[] = []): Promise<ReportResult> {
    return this.inTurn(() => this.take(raw, recipients));
  }

  private async take(raw: Buffer, recipients: readonly string[]): Promise<ReportResult> {
    const report = await readMailReport(raw).catch(() => null);
    if (!report || report.kind === 'none') return 'ignored';
    const mail = [...recipients, ...report.addresses].map((address) => this.mailOf(address)).find((known) => known !== null);
    if (!mail) return 'unknown';
    const result = await (mail.kind === 'b' ? this.ofDelivery(mail.id, report) : this.ofSystemMail(mail.id, report));
    if (result === 'counted') this.log.log({ kind: report.kind, mailId: mail.id }, 'a report was counted');
    return result;
  }

  private ofDelivery(id: string, report: MailReport): Promise<ReportResult> {
    return this.em.fork().transactional(async (em) => {
      const [delivery] = await rows<{ userId: string; historyId: string; address: string }>(
        em as EntityManager,
        `select user_id as "userId", history_id as "historyId", recipient_email as address from email_delivery_logs where id = ?`,
        [id],
      );
      if (!delivery) return 'unknown';
      const finding = findingOf(report, (address) => address === delivery.address.toLowerCase());
      if (!finding) return 'ignored';
      // Reports on one send wait for each other here, so that the last of them sees all the others.
      await rows(em as EntityManager, `select id from email_history where id = ? for update`, [delivery.historyId]);
      const hash = hashAddress(delivery.address.toLowerCase());
      const reportId = await this.note(em as EntityManager, ['delivery', id, report.key, delivery.userId, delivery.historyId, hash, finding.class, finding.code, finding.said]);
      if (!reportId) return 'known';
      await this.mark(em as EntityManager, id, finding);
      await this.faults.apply(em as EntityManager, reportId);
      await this.outcome.recount(em as EntityManager, delivery.historyId);
      return 'counted';
    });
  }

  /** Even while it still counts as being sent: whoever can report it has it. An answer about it settles it. */
  private async mark(em: EntityManager, id: string, { class: name, code, said, reason }: Finding): Promise<void> {
    const isComplaint = name === 'complaint';
    await changed(
      em,
      `update email_delivery_logs
       set status = ?, sent_at = coalesce(sent_at, now()), message_id = coalesce(message_id, ?), transmitting = false, lease_until = null, next_attempt_at = null,
         metadata = coalesce(metadata, '{}') || ?::jsonb
       where id = ? and status in ('queued', 'sending', 'deferred', 'sent', 'unconfirmed'${isComplaint ? `, 'bounced'` : ''})`,
      [isComplaint ? 'complained' : 'bounced', `<${id}@${this.settings.mailDomain}>`, JSON.stringify({ class: name, code, response: said, reason, bouncedAt: new Date().toISOString() }), id],
    );
  }

  private ofSystemMail(id: string, report: MailReport): Promise<ReportResult> {
    return this.em.fork().transactional(async (em) => {
      const mail = await this.systemMail.recipientOf(em as EntityManager, id);
      if (!mail) return 'unknown';
      const finding = findingOf(report, (address) => hashAddress(address).equals(mail.recipientHash));
      if (!finding) return 'ignored';
      if (finding.class === 'complaint') return (await this.optOuts.noteComplaint(em as EntityManager, { id, ...mail })) ? 'counted' : 'ignored';
      const reportId = await this.note(em as EntityManager, ['system', id, report.key, null, null, mail.recipientHash, finding.class, finding.code, finding.said]);
      if (!reportId) return 'known';
      await this.systemMail.noteBounce(em as EntityManager, id, finding.said ?? finding.reason);
      await this.asks.noteBounced(em as EntityManager, id);
      await this.faults.apply(em as EntityManager, reportId);
      this.log.warn({ mailId: id, kind: mail.kind, class: finding.class, code: finding.code }, 'a system mail came back');
      return 'counted';
    });
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

  /** A burst of reports leaves others their share of the processor and of the database's connections. */
  private async inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.running >= AT_A_TIME) await new Promise<void>((go) => this.waiting.push(go));
    else this.running += 1;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running -= 1;
    }
  }
}

/** Only the group of our own recipient counts: a report may speak of others as well. */
function findingOf(report: MailReport, isOurs: (address: string) => boolean): Finding | null {
  if (report.kind === 'complaint') return COMPLAINT;
  const ours = report.recipients.find((group) => [group.get('original-recipient'), group.get('final-recipient')].some((value) => value && isOurs(addressOf(value))));
  return ours ? bounceOf(ours) : null;
}
