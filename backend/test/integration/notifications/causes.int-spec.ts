import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { Notifications } from '../../../src/modules/notifications/index.js';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, type TestApp } from '../../kit/app.js';
import type { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, settled, startWithSink } from '../sending/support.js';
import { stored } from './support.js';

let app: TestApp;
let sink: SmtpSink;
beforeAll(async () => {
  ({ app, sink } = await startWithSink());
});
afterAll(() => closeAll(app, sink));
afterEach(() => void jest.restoreAllMocks());

const unlimited = { set: { tier: 'pro' } };
const textsOf = async (user: SignedUp) =>
  ((await user.agent.get('/api/notifications').expect(200)).body as { text: string }[]).map(({ text }) => text);

/** Makes writing a notification fail, and with it the transaction that writes one. */
function failingNotifications() {
  return jest.spyOn(app.get(Notifications), 'add').mockRejectedValue(new Error('it cannot be written'));
}

describe('the notification of a send', () => {
  it('is written exactly if the send has ended', async () => {
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: ['ok-1@x.test', 'ok-2@x.test', 'pol554-1@x.test'] });
    const add = failingNotifications();
    const id = await send(user, list, { subject: 'Java' });
    await until(() => add.mock.calls.length > 0);
    const [entry] = await rows<{ status: string }>(app.em(), `select status from email_history where id = ?`, [id]);
    expect(entry).toEqual({ status: 'pending' });
    expect(await stored(app, user.id)).toEqual([]);
    add.mockRestore();
    await settled(user, id);
    expect(await stored(app, user.id)).toMatchObject([
      { kind: 'send.finished', params: { sendId: id, subject: 'Java', delivered: 2, recipients: 3 }, count: 1 },
    ]);
    expect(await textsOf(user)).toEqual(['Send finished: 2 of 3 delivered']);
  });

  it('gives the reason where the send reached nobody', async () => {
    const user = await app.user(unlimited);
    const refused = await seedList(app, user, { addresses: ['pol554-2@x.test', 'pol554-3@x.test', 'p550-4@x.test'] });
    await settled(user, await send(user, refused));
    const unknown = await seedList(app, user, { addresses: ['p550-5@x.test'] });
    await settled(user, await send(user, unknown, { subject: 'Again' }));
    expect(await textsOf(user)).toEqual([
      'Send stopped: the addresses do not exist',
      'Send stopped: the mail server refuses us',
    ]);
  });

  it('is not written for a send that its sender cancelled', async () => {
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: ['slow3000-1@x.test', 't451x9-1@x.test'] }));
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    await settled(user, id);
    expect(await stored(app, user.id)).toEqual([]);
  });
});

describe('the notification of an import', () => {
  const importInto = async (user: SignedUp, list: string, text: string) => {
    const path = `/api/email-lists/${list}/subscribers/import`;
    const { body } = await user.agent.post(path).set('Content-Type', 'text/csv').send(text).expect(202);
    return { id: body.id as string, status: async () => (await user.agent.get(`${path}/${body.id}`)).body.status };
  };

  it('is written exactly if the import has ended; imports into one list are one line', async () => {
    const user = await app.user();
    const list = (await user.agent.post('/api/email-lists').send({ name: 'Vendors' }).expect(201)).body.id as string;
    const add = failingNotifications();
    const first = await importInto(user, list, 'Email\nann@vendor.test\nbob@vendor.test\nnobody\n');
    await until(() => add.mock.calls.length > 0);
    expect(await first.status()).not.toBe('done');
    add.mockRestore();
    await rows(app.em(), `update contact_imports set lease_until = now() where id = ?`, [first.id]);
    await until(async () => {
      await app.get(ImportSweeper).sweep();
      return (await first.status()) === 'done';
    });
    const second = await importInto(user, list, 'Email\ncy@vendor.test\n');
    await until(async () => (await second.status()) === 'done');
    expect(await stored(app, user.id)).toMatchObject([
      { kind: 'import.finished', count: 2, params: { listName: 'Vendors', added: 3, refused: 1 } },
    ]);
    expect(await textsOf(user)).toEqual(['Import finished: 3 added, 1 refused']);
  });

  it('says that the import failed', async () => {
    const user = await app.user();
    const list = (await user.agent.post('/api/email-lists').send({ name: 'Vendors' }).expect(201)).body.id as string;
    const { status } = await importInto(user, list, 'no address here\n'.repeat(6_000));
    await until(async () => (await status()) === 'failed');
    expect(await textsOf(user)).toEqual(['Import failed: no addresses were found']);
  });
});

describe('the notification of a rising bounce rate', () => {
  it('is written once a week', async () => {
    const user = await app.user(unlimited);
    const addresses = (from: string) => [
      ...Array.from({ length: 96 }, (_, i) => `ok-${from}${i}@x.test`),
      ...Array.from({ length: 4 }, (_, i) => `p550-${from}${i}@x.test`),
    ];
    for (const from of ['a', 'b'])
      await settled(
        user,
        await send(user, await seedList(app, user, { addresses: addresses(from) }), { subject: from }),
      );
    const texts = await textsOf(user);
    expect(texts.filter((text) => text === 'Bounces rising: 4.0 % this week')).toHaveLength(1);
    expect(texts).toHaveLength(3);
  });
});
