import { type Notice, Notifications } from '../../../src/modules/notifications/index.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';

export interface StoredNotification {
  kind: string;
  params: Record<string, unknown>;
  count: number;
  shown: boolean;
  mail_as: string | null;
  is_read: boolean;
  is_mailed: boolean;
}

/** Writes notifications, each in a separate transaction. */
export async function notify(app: TestApp, ...notices: Notice[]): Promise<void> {
  for (const notice of notices) await inTransaction(app.em(), (em) => app.get(Notifications).add(em, notice));
}

/** The stored notifications of a user, newest first. */
export const stored = (app: TestApp, userId: string): Promise<StoredNotification[]> =>
  rows(
    app.em(),
    `select kind, params, count, shown, mail_as, read_at is not null as is_read, mailed_at is not null as is_mailed from notifications
     where user_id = ? order by updated_at desc, id desc`,
    [userId],
  );

export const stopped = (userId: string, sendId: string = crypto.randomUUID()): Notice => ({
  userId,
  kind: 'send.stopped',
  groupKey: `send:${sendId}`,
  params: { sendId, subject: 'Java hotlist', reason: 'refused' },
});

export const finished = (userId: string, seconds: number, sendId: string = crypto.randomUUID()): Notice => ({
  userId,
  kind: 'send.finished',
  groupKey: `send:${sendId}`,
  params: { sendId, subject: 'Java hotlist', delivered: 702, recipients: 720, seconds },
});

export const imported = (userId: string, listId: string, added: number, refused: number): Notice => ({
  userId,
  kind: 'import.finished',
  groupKey: `import:${listId}`,
  params: { importId: crypto.randomUUID(), isDirect: true, listId, listName: 'Java vendors', added, refused },
});
