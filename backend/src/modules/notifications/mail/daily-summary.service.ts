import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { DateTime } from 'luxon';
import { Clock } from '../../../shared/clock/clock.js';
import { Settings } from '../../../shared/config/settings.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { hashAddress } from '../../../shared/mail/address.js';
import { type OutgoingSystemMail, SystemMailOutbox } from '../../../shared/mail/system-mail/system-mail-outbox.js';
import { DEFAULT_SUMMARY_HOUR, NOTIFICATION_KINDS, type NotificationKind } from '../notification-kinds.js';
import { textOf } from '../notification-text.js';
import { SUMMARY_LINES, SUMMARY_MAIL, summaryMail } from './notification.email.js';
import { NotificationLinks } from './notification-links.service.js';

/** Accounts per transaction. */
const ACCOUNTS_PER_TRANSACTION = 200;

/** An hour of the day that has been reached today in a time zone. */
interface DueHour {
  zone: string;
  hour: number;
  /** Today's date in the zone, and the time at which the hour began. */
  day: string;
  due: string;
}

interface Recipient {
  id: string;
  email: string;
  emailNorm: string;
}

interface Line {
  id: string;
  userId: string;
  kind: NotificationKind;
  params: never;
  count: number;
  place: number;
  total: number;
}

/** Mails each user a daily summary of the unread notifications that wait for it, at the hour of the user's choice. */
@Injectable()
export class DailySummary {
  constructor(
    private readonly em: EntityManager,
    private readonly outbox: SystemMailOutbox,
    private readonly links: NotificationLinks,
    private readonly settings: Settings,
    private readonly clock: Clock,
  ) {}

  /**
   * Writes the summaries of all users whose hour has been reached. A notification written after that hour causes no
   * summary on the same day, but is included in one that is still to be written.
   */
  async round(): Promise<void> {
    const hours = await this.dueHours();
    if (hours.length > 0) while ((await this.batch(hours)) === ACCOUNTS_PER_TRANSACTION);
  }

  private async dueHours(): Promise<DueHour[]> {
    const asked = await rows<{ zone: string; hour: number }>(this.em.fork(), ASKED_HOURS, [DEFAULT_SUMMARY_HOUR]);
    const now = this.clock.now();
    return asked.flatMap(({ zone, hour }) => {
      const local = DateTime.fromJSDate(now, { zone });
      // The zone data of this process may lack the zone; then the zone's days are counted in UTC.
      const today = (local.isValid ? local : DateTime.fromJSDate(now, { zone: 'UTC' })).startOf('day');
      // If a clock change skips the hour, the hour begins at the change.
      const due = today.set({ hour });
      return due.toJSDate() <= now ? [{ zone, hour, day: today.toISODate()!, due: due.toUTC().toISO()! }] : [];
    });
  }

  /**
   * Records the day of each account's last summary in the transaction that writes the mails, so that a crash at any
   * point leaves exactly one summary a day.
   */
  private async batch(hours: readonly DueHour[]): Promise<number> {
    const written = await inTransaction(this.em, async (em) => {
      const people = await rows<Recipient>(em, CLAIM_RECIPIENTS, [
        JSON.stringify(hours),
        DEFAULT_SUMMARY_HOUR,
        JSON.stringify(NOTIFICATION_KINDS),
        ACCOUNTS_PER_TRANSACTION,
      ]);
      if (people.length === 0) return 0;
      const ids = JSON.stringify(people.map(({ id }) => id));
      const lines = await rows<Line>(em, LINES, [ids, JSON.stringify(NOTIFICATION_KINDS)]);
      const byUser = Map.groupBy(lines, ({ userId }) => userId);
      const mails = people.flatMap((person) => this.mailOf(person, byUser.get(person.id) ?? []));
      await this.outbox.enqueueAll(em, mails);
      await changed(
        em,
        `update notifications set mail_as = null, mail_since = null, mailed_at = now() where id in (select value::uuid from jsonb_array_elements_text(?::jsonb))`,
        [JSON.stringify(lines.map(({ id }) => id))],
      );
      return people.length;
    });
    if (written > 0) await this.outbox.kick();
    return written;
  }

  private mailOf({ id, email, emailNorm }: Recipient, lines: readonly Line[]): OutgoingSystemMail[] {
    const [first] = lines;
    // The user has read all notifications since the account was selected.
    if (!first) return [];
    const shown = lines.filter(({ place }) => place <= SUMMARY_LINES);
    const { appUrl } = this.settings;
    const settingsUrl = this.links.urlFor(id);
    const texts = shown.map(({ kind, params, count }) => textOf(kind, params, count));
    return [
      {
        kind: SUMMARY_MAIL,
        to: email,
        recipientHash: hashAddress(emailNorm),
        subjectId: id,
        priority: 'unasked',
        oneClickUrl: settingsUrl,
        content: summaryMail(texts, first.total - shown.length, { appUrl, settingsUrl }),
      },
    ];
  }
}

/** Time zones and summary hours of the users who have a notification waiting for a summary. */
const ASKED_HOURS = `
  select distinct u.time_zone as zone, coalesce(m.summary_hour, ?) as hour
  from (select distinct user_id from notifications where mail_as = 'summary' and read_at is null) n
  join users u on u.id = n.user_id left join notification_mailing m on m.user_id = u.id`;

/** SQL condition on a notification `n` with its setting `s`: it belongs in the next summary. */
const WAITS_FOR_SUMMARY = `n.mail_as = 'summary' and n.read_at is null and s.mail is distinct from 'never' and n.kind in (select jsonb_array_elements_text(?::jsonb))`;

/**
 * Selects accounts whose hour has been reached and that had a notification waiting by then, and records the day of
 * their summary. If two workers run concurrently, only the one that records the day writes the mail. Parameters: due
 * hours, default hour, known kinds, number of accounts.
 */
const CLAIM_RECIPIENTS = `
  with people as (
    select u.id, u.email, u.email_norm, d.day from jsonb_to_recordset(?::jsonb) as d(zone text, hour int, day date, due timestamptz)
    join users u on u.time_zone = d.zone and u.suspended_at is null and u.deleted_at is null
    left join notification_mailing m on m.user_id = u.id
    where coalesce(m.summary_hour, ?) = d.hour and m.off_at is null and (m.summarised_on is null or m.summarised_on < d.day)
      and exists (select 1 from auth_credentials c where c.user_id = u.id and c.is_verified)
      and exists (select 1 from notifications n left join notification_settings s on s.user_id = n.user_id and s.kind = n.kind
        where n.user_id = u.id and n.mail_since <= d.due and ${WAITS_FOR_SUMMARY})
    limit ?
  ), taken as (
    insert into notification_mailing as m (user_id, summarised_on) select id, day from people
    on conflict (user_id) do update set summarised_on = excluded.summarised_on where m.summarised_on is null or m.summarised_on < excluded.summarised_on
    returning m.user_id
  )
  select p.id, p.email, p.email_norm as "emailNorm" from people p join taken t on t.user_id = p.id`;

/** The waiting notifications of these accounts, newest first for each account. */
const LINES = `
  select n.id, n.user_id as "userId", n.kind, n.params, n.count,
    (row_number() over (partition by n.user_id order by n.updated_at desc, n.id))::int as place, (count(*) over (partition by n.user_id))::int as total
  from jsonb_array_elements_text(?::jsonb) as p(id) join notifications n on n.user_id = p.id::uuid
  left join notification_settings s on s.user_id = n.user_id and s.kind = n.kind
  where ${WAITS_FOR_SUMMARY} order by place`;
