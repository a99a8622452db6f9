import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { OnAppEvent } from '../../../shared/events/event-bus.js';
import { Notifications } from '../notifications.service.js';
import { NOTIFICATION_MAIL, SUMMARY_MAIL } from './notification.email.js';

/** Number of bounces after which an account's notification mail is turned off. */
const BOUNCES = 2;

/**
 * Turns off an account's notification mail after two bounces or one spam report, and writes a notification about it.
 */
@Injectable()
export class NotificationMailHealth {
  constructor(
    private readonly em: EntityManager,
    private readonly notifications: Notifications,
  ) {}

  /** Counts a mail that the mail server refused permanently during the SMTP dialogue. */
  @OnAppEvent('system-mail.refused')
  async onRefused({ mailId, kind }: { mailId: string; kind: string }): Promise<void> {
    if (isNotification(kind)) await inTransaction(this.em, (em) => this.noteBounce(em, { id: mailId, kind }));
  }

  /** Counts a bounced notification mail. Other system mail is ignored. */
  async noteBounce(em: EntityManager, mail: { id: string; kind: string }): Promise<void> {
    if (isNotification(mail.kind)) await this.note(em, mail.id, 'bounced');
  }

  /** Turns notification mail off after a spam report about it. @returns false for other system mail */
  async noteComplaint(em: EntityManager, mail: { id: string; kind: string }): Promise<boolean> {
    if (!isNotification(mail.kind)) return false;
    await this.note(em, mail.id, 'complained');
    return true;
  }

  private async note(em: EntityManager, mailId: string, reason: 'bounced' | 'complained'): Promise<void> {
    const counts = reason === 'complained' ? BOUNCES : 1;
    const [noted] = await rows<{ userId: string; hasEnded: boolean }>(em, NOTE, [
      counts,
      counts,
      BOUNCES,
      mailId,
      BOUNCES,
    ]);
    if (!noted?.hasEnded) return;
    const { userId } = noted;
    await this.notifications.add(em, { userId, kind: 'mail.off', groupKey: 'mail.off', params: { reason } });
  }
}

const isNotification = (kind: string): boolean => kind === NOTIFICATION_MAIL || kind === SUMMARY_MAIL;

/**
 * Adds to the count of bounces, and returns whether the new count turned the account's mail off. Parameters: how much
 * to add, twice; count at which mail is turned off; id of the mail; that count again.
 */
const NOTE = `
  insert into notification_mailing as m (user_id, bounces, off_at)
  select u.id, ?::int, case when ?::int >= ? then now() end from system_mails o join users u on u.id = o.subject_id where o.id = ? and u.deleted_at is null
  on conflict (user_id) do update set bounces = m.bounces + excluded.bounces, off_at = coalesce(m.off_at, case when m.bounces + excluded.bounces >= ? then now() end)
  returning m.user_id as "userId", coalesce(m.off_at = now(), false) as "hasEnded"`;
