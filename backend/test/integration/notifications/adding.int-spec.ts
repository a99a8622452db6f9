import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Notifications } from '../../../src/modules/notifications/index.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { finished, imported, notify, stopped, stored } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp({ env: { ROLE: 'web' } });
});
afterAll(() => app.close());

const choose = (user: SignedUp, kind: string, inApp: boolean, mail: string) =>
  rows(app.em(), `insert into notification_settings (user_id, kind, in_app, mail) values (?, ?, ?, ?)`, [
    user.id,
    kind,
    inApp,
    mail,
  ]);

describe('a notification', () => {
  it('exists exactly if its cause was committed', async () => {
    const user = await app.user();
    const failing = inTransaction(app.em(), async (em) => {
      await app.get(Notifications).add(em, stopped(user.id));
      throw new Error('the cause fails');
    });
    await expect(failing).rejects.toThrow('the cause fails');
    expect(await stored(app, user.id)).toEqual([]);
  });

  it('accumulates while it is unread: numbers add up, other values are those of the newest', async () => {
    const [user, other] = [await app.user(), await app.user()];
    await notify(app, imported(user.id, 'java', 800, 10), imported(user.id, 'python', 5, 0));
    await notify(app, imported(user.id, 'java', 12, 4), imported(other.id, 'java', 1, 1));
    expect(await stored(app, user.id)).toMatchObject([
      { count: 2, params: { added: 812, refused: 14, listName: 'Java vendors' } },
      { count: 1, params: { added: 5, refused: 0 } },
    ]);
    await rows(app.em(), `update notifications set read_at = now() where user_id = ?`, [user.id]);
    await notify(app, imported(user.id, 'java', 1, 0));
    expect(await stored(app, user.id)).toMatchObject([
      { count: 1, params: { added: 1 }, is_read: false },
      { count: 2, is_read: true },
      { count: 1, is_read: true },
    ]);
  });

  it('stays one line for 10,000 causes of its kind, also with concurrent writers', async () => {
    const user = await app.user();
    const one = imported(user.id, 'java', 1, 0);
    const add = (times: number) =>
      inTransaction(app.em(), async (em) => {
        for (let i = 0; i < times; i++) await app.get(Notifications).add(em, { ...one, count: 10 });
      });
    await Promise.all(Array.from({ length: 4 }, () => add(250)));
    expect(await stored(app, user.id)).toMatchObject([{ count: 10_000, params: { added: 1_000 } }]);
  });

  it('is not written for a closed account, or where the user switched both channels off', async () => {
    const [closed, user] = [await app.user(), await app.user()];
    await rows(app.em(), `update users set deleted_at = now() where id = ?`, [closed.id]);
    await choose(user, 'send.stopped', false, 'never');
    await notify(app, stopped(closed.id), stopped(user.id), stopped(crypto.randomUUID()));
    expect(await stored(app, user.id)).toEqual([]);
    expect(await stored(app, closed.id)).toEqual([]);
  });

  it('is mailed as its kind says, unless the user chose otherwise', async () => {
    const [user, chooser] = [await app.user(), await app.user()];
    await choose(chooser, 'send.finished', true, 'now');
    await choose(chooser, 'send.stopped', false, 'summary');
    for (const { id } of [user, chooser])
      await notify(app, stopped(id), finished(id, 600), finished(id, 601), imported(id, 'java', 1, 0));
    const short = ({ kind, shown, mail_as }: Awaited<ReturnType<typeof stored>>[number]) => [kind, shown, mail_as];
    expect((await stored(app, user.id)).map(short).reverse()).toEqual([
      ['send.stopped', true, 'now'],
      ['send.finished', true, null],
      ['send.finished', true, 'summary'],
      ['import.finished', true, null],
    ]);
    expect((await stored(app, chooser.id)).map(short).reverse()).toEqual([
      ['send.stopped', false, 'summary'],
      ['send.finished', true, 'now'],
      ['send.finished', true, 'now'],
      ['import.finished', true, null],
    ]);
  });

  it('is mailed at once only the first time: later growth waits for the summary', async () => {
    const user = await app.user();
    const notice = stopped(user.id);
    await notify(app, notice);
    await rows(
      app.em(),
      `update notifications set mail_as = null, mail_since = null, mailed_at = now() where user_id = ?`,
      [user.id],
    );
    await notify(app, notice);
    expect(await stored(app, user.id)).toMatchObject([{ count: 2, mail_as: 'summary', is_mailed: true }]);
  });

  it('is deleted with the account', async () => {
    const user = await app.user();
    await choose(user, 'send.stopped', true, 'never');
    await notify(app, stopped(user.id));
    await rows(app.em(), `delete from users where id = ?`, [user.id]);
    expect(await stored(app, user.id)).toEqual([]);
  });
});
