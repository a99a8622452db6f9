import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import {
  CHOSEN_KINDS,
  type ChosenKind,
  DEFAULT_SUMMARY_HOUR,
  type MailChoice,
  rulesOf,
} from '../notification-kinds.js';
import type {
  ChangeNotificationSettingsDto,
  KindSettingDto,
  NotificationSettingsDto,
} from './notification-settings.dto.js';

/** Which notifications users want, and how. */
@Injectable()
export class NotificationSettings {
  constructor(private readonly em: EntityManager) {}

  async of({ id, timeZone }: { id: string; timeZone: string }): Promise<NotificationSettingsDto> {
    const em = this.em.fork();
    const [mailing] = await rows<{ summaryHour: number; mailIsOff: boolean }>(
      em,
      `select summary_hour as "summaryHour", off_at is not null as "mailIsOff" from notification_mailing where user_id = ?`,
      [id],
    );
    const chosen = await rows<KindSettingDto>(
      em,
      `select kind, in_app as "inApp", mail from notification_settings where user_id = ?`,
      [id],
    );
    const kinds = CHOSEN_KINDS.map(
      (kind) => chosen.find((row) => row.kind === kind) ?? { kind, inApp: true, mail: rulesOf(kind).mail },
    );
    return { summaryHour: DEFAULT_SUMMARY_HOUR, mailIsOff: false, ...mailing, timeZone, kinds };
  }

  /** Changes the given settings. Notifications that still wait to be mailed follow the new choice. */
  async change(userId: string, { summaryHour, kinds, mailAgain }: ChangeNotificationSettingsDto): Promise<void> {
    await inTransaction(this.em, async (em) => {
      await changed(
        em,
        `insert into notification_mailing as m (user_id, summary_hour) values (?, ?) on conflict (user_id) do update set summary_hour = excluded.summary_hour,
           off_at = case when ?::boolean then null else m.off_at end, bounces = case when ?::boolean then 0 else m.bounces end`,
        [userId, summaryHour, mailAgain ?? false, mailAgain ?? false],
      );
      await this.store(em, userId, kinds);
    });
  }

  /** Turns off the mail about these kinds; notifications in the app stay. */
  async endMail(userId: string, kinds: readonly ChosenKind[]): Promise<void> {
    await inTransaction(this.em, async (em) => {
      // The account may have been deleted since the mail with the link was sent.
      if ((await rows(em, `select 1 from users where id = ? and deleted_at is null`, [userId])).length === 0) return;
      await this.store(
        em,
        userId,
        kinds.map((kind) => ({ kind, mail: 'never' })),
      );
    });
  }

  private async store(
    em: EntityManager,
    userId: string,
    kinds: { kind: ChosenKind; inApp?: boolean; mail: MailChoice }[],
  ): Promise<void> {
    await changed(
      em,
      `insert into notification_settings as s (user_id, kind, in_app, mail)
       select ?::uuid, k.kind, coalesce(k."inApp", true), k.mail from jsonb_to_recordset(?::jsonb) as k(kind text, "inApp" boolean, mail text)
       on conflict (user_id, kind) do update set mail = excluded.mail, in_app = case when ?::boolean then excluded.in_app else s.in_app end`,
      [userId, JSON.stringify(kinds), kinds.every(({ inApp }) => inApp !== undefined)],
    );
  }
}
