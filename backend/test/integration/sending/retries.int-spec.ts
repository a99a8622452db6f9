import { describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import { doc, mergeTag, paragraph, table } from '../../kit/samples/documents.js';
import type { StoredMail } from '../../kit/sink/sink-modes.js';
import { partsOf } from '../email/support.js';
import { documentBody, seedList, send, sentToday, settled } from './support.js';
import { app, sink, pro, press, entryOf } from './controls/controls-support.js';

describe('retrying failed recipients', () => {
  const soft = (names: string[]) => {
    sink.answer = (address) => (names.some((name) => address.startsWith(name)) ? '552 5.2.2 mailbox full' : undefined);
  };

  it('mails temporarily failed recipients within the same send, never refused or unsubscribed ones', async () => {
    soft(['full', 'left']);
    const user = await app.user();
    const list = await seedList(app, user, {
      addresses: [
        'full-a@x.test',
        'full-b@x.test',
        'left-a@x.test',
        'p550-retry@x.test',
        'pol554-retry@x.test',
        'ok-retry@x.test',
      ],
    });
    const id = await send(user, list);
    expect(await settled(user, id)).toMatchObject({ status: 'sent', retryable: 3, counts: { sent: 1, failed: 5 } });
    await rows(
      app.em(),
      `insert into suppressions (scope, owner_id, address_hash, reason) select 'owner', ?, email_hash, 'unsubscribed' from subscriptions where email_norm = 'left-a@x.test'`,
      [user.id],
    );
    expect((await entryOf(user, id)).retryable).toBe(2);
    sink.answer = () => undefined;
    const answers = await Promise.all([1, 2, 3].map(() => press(user, id, 'retry').expect(200)));
    expect(answers.map(({ body }) => body.retried).sort()).toEqual([0, 0, 2]);
    expect(await settled(user, id)).toMatchObject({ status: 'sent', retryable: 0, counts: { sent: 3, failed: 3 } });
    expect(
      [
        'full-a@x.test',
        'full-b@x.test',
        'left-a@x.test',
        'p550-retry@x.test',
        'pol554-retry@x.test',
        'ok-retry@x.test',
      ].map(sink.attemptsOf),
    ).toEqual([2, 2, 1, 1, 1, 1]);
    expect(sink.extraCopies).toBe(0);
    expect(await sentToday(user)).toBe('1');
    expect((await press(user, id, 'retry').expect(200)).body.retried).toBe(0);
  });

  it('counts a send again that was given back, and gives it back where the retry fails too', async () => {
    soft(['full']);
    const user = await app.user();
    const id = await send(user, await seedList(app, user, { addresses: ['full-c@x.test'] }));
    expect((await settled(user, id)).status).toBe('failed');
    expect(await sentToday(user)).toBe('0');
    await press(user, id, 'retry').expect(200);
    expect((await settled(user, id)).status).toBe('failed');
    expect(await sentToday(user)).toBe('0');
    sink.answer = () => undefined;
    expect((await press(user, id, 'retry').expect(200)).body.retried).toBe(1);
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 1 } });
    expect(await sentToday(user)).toBe('1');
  });

  it("of a document sends the same document, with the contacts' present values", async () => {
    soft(['full']);
    const user = await app.user(pro);
    const address = 'full-document@x.test';
    const list = await seedList(app, user, { addresses: [address] });
    const document = doc(
      paragraph('Hi ', mergeTag('first_name', 'there'), ','),
      table(['Name', 'Rate'], ['Ann', '$60']),
    );
    const body = documentBody(list, document);
    const { id } = (await user.agent.post('/api/send-email').send(body).expect(202)).body;
    expect((await settled(user, id)).status).toBe('failed');
    await rows(app.em(), `update subscriptions set first_name = 'Priya' where email_list_id = ?`, [list.id]);
    sink.answer = () => undefined;
    await press(user, id, 'retry').expect(200);
    expect((await settled(user, id)).status).toBe('sent');
    const [{ raw }] = sink.storedOf(address) as [StoredMail];
    const { text, html } = await partsOf(raw);
    expect(text).toMatch(/^Hi Priya,\n\nName {2}Rate\n-{4} {2}-{4}\nAnn {3}\$60\n/);
    expect(html).toContain('>Hi Priya,</p>');
    expect(html).toContain('<th scope="col"');
  });

  it('restarts the retry schedule of expired messages', async () => {
    const user = await app.user(pro);
    const id = await send(user, await seedList(app, user, { addresses: ['t450x2-again@x.test'] }));
    await until(
      async () =>
        (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ? and status = 'deferred'`, [id]))
          .length > 0,
    );
    await rows(app.em(), `update email_delivery_logs set metadata = metadata || '{"since": 1}' where history_id = ?`, [
      id,
    ]);
    const first = await settled(user, id);
    expect(first).toMatchObject({ status: 'failed', retryable: 1 });
    expect((await press(user, id, 'retry').expect(200)).body.retried).toBe(1);
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 1 } });
  });
});
