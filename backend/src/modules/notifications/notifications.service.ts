import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/queries/rows.js';
import { type Notice, type NotificationKind, rulesOf } from './notification-kinds.js';

/** Writes notifications. */
@Injectable()
export class Notifications {
  /**
   * Writes a notification within the caller's transaction, so that the notification exists exactly if its cause does.
   * If the user has an unread one with the same group key, the new one is merged into it: the params are replaced, and
   * counts are added up. Writes nothing if the user wants this kind neither in the app nor by mail, or if the account
   * is closed.
   */
  async add(em: EntityManager, notice: Notice): Promise<void> {
    const { userId, kind, groupKey, params, count = 1 } = notice;
    const { mail, sums = [], isMinor } = rulesOf(kind);
    const isSmall = isMinor?.(params as never) ?? false;
    const row = [kind, groupKey, JSON.stringify(params), count];
    await rows(em, ADD, [isSmall, mail, kind, userId, ...row, JSON.stringify(sums)]);
  }

  /** Whether the user got a notification of this kind within the last days, read or not. */
  async hasRecent(em: EntityManager, userId: string, kind: NotificationKind, days: number): Promise<boolean> {
    const sql = `select 1 from notifications where user_id = ? and kind = ? and updated_at > now() - make_interval(days => ?::int) limit 1`;
    return (await rows(em, sql, [userId, kind, days])).length > 0;
  }
}

/**
 * Merges or inserts a notification. It is mailed immediately at most once; further events after that mail wait for the
 * summary. Parameters: whether it is too minor for the summary, default mail choice, kind, user; kind, group key,
 * params, count; names of the sums.
 */
const ADD = `
  with wanted as (
    select u.id as user_id, coalesce(s.in_app, true) as shown, case when c.mail = 'never' or c.mail = 'summary' and ?::boolean then null else c.mail end as mail_as
    from (select ?::text as mail) d cross join users u left join notification_settings s on s.user_id = u.id and s.kind = ?
    cross join lateral (select coalesce(s.mail, d.mail) as mail) c
    where u.id = ? and u.deleted_at is null
  )
  insert into notifications as n (user_id, kind, group_key, params, count, shown, mail_as, mail_since)
  select user_id, ?, ?, ?::jsonb, ?, shown, mail_as, case when mail_as is not null then now() end from wanted where shown or mail_as is not null
  on conflict (user_id, group_key) where read_at is null do update set
    kind = excluded.kind,
    params = excluded.params || (
      select coalesce(jsonb_object_agg(name, coalesce((n.params ->> name)::bigint, 0) + coalesce((excluded.params ->> name)::bigint, 0)), '{}'::jsonb)
      from jsonb_array_elements_text(?::jsonb) as name),
    count = n.count + excluded.count, shown = n.shown or excluded.shown, updated_at = now(),
    mail_as = case when excluded.mail_as is null or n.mail_as is not null then n.mail_as when n.mailed_at is not null then 'summary' else excluded.mail_as end,
    mail_since = coalesce(n.mail_since, excluded.mail_since)`;
