import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Settings } from '../../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { type OutgoingSystemMail, SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { type MailChoice, NOTIFICATION_KINDS, type NotificationKind, rulesOf } from '../notification-kinds.js';
import { textOf } from '../notification-text.js';
import { NOTIFICATION_MAIL, notificationMail } from './notification.email.js';
import { NotificationLinks } from './notification-links.service.js';

/** Maximum number of immediate mails to one account within an hour; further notifications wait for the summary. */
const MAX_MAILS_PER_HOUR = 10;
const NOTIFICATIONS_PER_BATCH = 100;

interface Waiting {
  id: string;
  userId: string;
  kind: NotificationKind;
  params: never;
  count: number;
  email: string;
  emailNorm: string;
  chosen: MailChoice | null;
  isOff: boolean;
  mayBeMailed: boolean;
  mailed: number;
}

/** Mails the notifications that users want to get at once. */
@Injectable()
export class ImmediateMail {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly links: NotificationLinks,
    private readonly settings: Settings,
  ) {}

  /** Mails everything that waits. Must run on one instance at a time, because the hourly limit relies on it. */
  async round(): Promise<void> {
    while ((await this.batch()) === NOTIFICATIONS_PER_BATCH);
  }

  /**
   * Enqueues the mails in the transaction that marks their notifications as mailed, so that a crash repeats both or
   * neither.
   * @returns number of notifications in the batch
   */
  private async batch(): Promise<number> {
    const { found, mailed } = await inTransaction(this.em, async (em) => {
      const found = await rows<Waiting>(em, WAITING, [
        NOTIFICATION_MAIL,
        JSON.stringify(NOTIFICATION_KINDS),
        NOTIFICATIONS_PER_BATCH,
      ]);
      const { now, summary, never } = this.sort(found);
      await this.outbox.enqueueAll(
        em,
        now.map((row) => this.mailOf(row)),
      );
      await settle(em, now, `mail_as = null, mail_since = null, mailed_at = now()`);
      await settle(em, summary, `mail_as = 'summary'`);
      await settle(em, never, `mail_as = null, mail_since = null`);
      return { found, mailed: now.length };
    });
    if (mailed > 0) await this.outbox.kick();
    return found.length;
  }

  private sort(found: readonly Waiting[]): { now: Waiting[]; summary: Waiting[]; never: Waiting[] } {
    const sorted: { now: Waiting[]; summary: Waiting[]; never: Waiting[] } = { now: [], summary: [], never: [] };
    const mailed = new Map<string, number>();
    for (const row of found) {
      const so = mailed.get(row.userId) ?? row.mailed;
      const choice = row.isOff ? 'never' : (row.chosen ?? rulesOf(row.kind).mail);
      const isNow = choice === 'now' && row.mayBeMailed && so < MAX_MAILS_PER_HOUR;
      sorted[choice === 'never' ? 'never' : isNow ? 'now' : 'summary'].push(row);
      if (isNow) mailed.set(row.userId, so + 1);
    }
    return sorted;
  }

  private mailOf({ userId, kind, params, count, email, emailNorm }: Waiting): OutgoingSystemMail {
    const { appUrl } = this.settings;
    return {
      kind: NOTIFICATION_MAIL,
      to: email,
      recipientHash: hashAddress(emailNorm),
      subjectId: userId,
      priority: 'requested',
      content: notificationMail(textOf(kind, params, count), { appUrl, settingsUrl: this.links.urlFor(userId) }),
    };
  }
}

/** Updates the notifications of these rows. @param set SQL assignments */
async function settle(em: EntityManager, found: readonly Waiting[], set: string): Promise<void> {
  if (found.length === 0) return;
  await changed(
    em,
    `update notifications set ${set} where id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
    [JSON.stringify(found.map(({ id }) => id))],
  );
}

/**
 * Notifications that wait for an immediate mail, oldest first. `mayBeMailed` is false for suspended and unverified
 * accounts. Parameters: kind of the mails, known kinds, number of rows.
 */
const WAITING = `
  select n.id, n.user_id as "userId", n.kind, n.params, n.count, u.email, u.email_norm as "emailNorm", s.mail as chosen, m.off_at is not null as "isOff",
    u.suspended_at is null and u.deleted_at is null and coalesce(c.is_verified, false) as "mayBeMailed",
    (select count(*) from system_mails o where o.recipient_hash = sha256(convert_to(u.email_norm, 'UTF8')) and o.kind = ? and o.created_at > now() - interval '1 hour')::int as mailed
  from notifications n join users u on u.id = n.user_id
  left join auth_credentials c on c.user_id = u.id left join notification_mailing m on m.user_id = u.id
  left join notification_settings s on s.user_id = n.user_id and s.kind = n.kind
  where n.mail_as = 'now' and n.read_at is null and n.kind in (select jsonb_array_elements_text(?::jsonb))
  order by n.mail_since, n.id limit ? for update of n skip locked`;
