import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../shared/database/queries/all-of.js';
import { Keyset, type KeysetRow } from '../../shared/database/queries/keyset.js';
import { countMatches, readPage } from '../../shared/database/queries/read-page.js';
import { rows } from '../../shared/database/queries/rows.js';
import type { Page } from '../../shared/http/index.js';
import { NOTIFICATION_KINDS, type NotificationKind } from './notification-kinds.js';
import { textOf } from './notification-text.js';
import type { NotificationDto, NotificationQuery, ReadNotificationsDto } from './notification.dto.js';

/**
 * SQL condition: notifications of a user that the bell shows. Leaves out kinds that only a newer version knows, because
 * this version has no text for them.
 */
const IS_SHOWN = `user_id = ? and shown and kind in (${NOTIFICATION_KINDS.map((kind) => `'${kind}'`).join(', ')})`;
const NEWEST = { updatedAt: { expression: 'updated_at', type: 'timestamptz' } } as const;

type Row = KeysetRow & {
  id: string;
  kind: NotificationKind;
  params: never;
  count: number;
  createdAt: string;
  updatedAt: string;
  readAt: string | null;
};

/** Reads the list of notifications under a user's bell, and marks notifications as read. */
@Injectable()
export class NotificationList {
  constructor(private readonly em: EntityManager) {}

  /** A page of notifications, newest first. */
  async page(userId: string, query: NotificationQuery, limit: number): Promise<Page<NotificationDto>> {
    const keyset = new Keyset(NEWEST, '-updatedAt', query.cursor, 'id');
    const { rows: found, ...page } = await readPage<Row>(this.em.fork(), keyset, limit, {
      columns: 'id, kind, params, count, created_at as "createdAt", updated_at as "updatedAt", read_at as "readAt"',
      from: 'notifications',
      where: allOf([[IS_SHOWN, userId], query.unread && ['read_at is null']]),
    });
    return { rows: found.map(toItem), ...page };
  }

  /**
   * Marks the user's own notifications as read; other ids are ignored.
   * @returns number of notifications that are still unread
   */
  async read(userId: string, { ids, all }: ReadNotificationsDto): Promise<number> {
    const em = this.em.fork();
    const among = all ? '' : 'and id in (select value::uuid from jsonb_array_elements_text(?::jsonb))';
    await rows(em, `update notifications set read_at = now() where user_id = ? and read_at is null ${among}`, [
      userId,
      ...(all ? [] : [JSON.stringify(ids)]),
    ]);
    return (await countMatches(em, `notifications where ${IS_SHOWN} and read_at is null`, [userId])).total;
  }
}

const iso = (time: string): string => new Date(time).toISOString();

const toItem = ({ id, kind, params, count, createdAt, updatedAt, readAt }: Row): NotificationDto => ({
  id,
  kind,
  ...textOf(kind, params, count),
  count,
  createdAt: iso(createdAt),
  updatedAt: iso(updatedAt),
  readAt: readAt && iso(readAt),
});
