import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { TestMailWorker } from '../../../../src/modules/sending/tests/test-mail-worker.js';
import type { TestApp } from '../../../kit/app.js';
import { until } from '../../../kit/until.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, type SeededList, startSending } from '../support.js';
import { testMailHelpers } from './test-mails-support.js';

let app: TestApp;
let ann: SignedUp;
let list: SeededList;

beforeAll(async () => void (app = await startSending()));
afterAll(() => app.close());
beforeEach(async () => {
  app.mails.answer = () => undefined;
  ann = await app.user({ firstName: 'Ann', set: { tier: 'pro' } });
  list = await seedList(app, ann, { addresses: [`p-${randomUUID().slice(0, 8)}@people.test`] });
});

const { query, test, testsTo, untilArrived, latest, untilOver, tester } = testMailHelpers(() => ({ app, list }));

describe('a test', () => {
  it('says why it failed', async () => {
    const reader = await tester(ann);
    app.mails.answer = (address) =>
      address === reader ? { code: 550, message: '5.1.1 No such user here' } : undefined;
    await test(ann, [ann.email, reader]).expect(202);
    const over = await untilOver(ann);
    expect(over.find(({ address }) => address === reader)).toMatchObject({
      status: 'failed',
      reason: 'mailbox unknown',
    });
    expect(over.find(({ address }) => address === ann.email)).toMatchObject({ status: 'sent', reason: null });
  });

  it('waits where the mail server asks for it', async () => {
    app.mails.answer = (address) => (address === ann.email ? { code: 451, message: '4.3.0 later' } : undefined);
    await test(ann, [ann.email]).expect(202);
    await until('it was tried', async () => (await latest(ann))[0]?.reason !== null);
    app.mails.answer = () => undefined;
    await query(`update test_mails set next_attempt_at = now() where user_id = ?`, [ann.id]);
    await app.get(TestMailWorker).sweep();
    expect(await untilOver(ann)).toMatchObject([{ status: 'sent', reason: null }]);
  });

  it('goes out once more, under the same Message-ID, where a worker died before it wrote that it was sent', async () => {
    await test(ann, [ann.email]).expect(202);
    await untilOver(ann);
    await test(ann, [ann.email]).expect(202);
    await untilOver(ann);
    const [first] = await query<{ id: string }>(`select id from test_mails where user_id = ? order by created_at`, [
      ann.id,
    ]);
    // Leaves the state after a kill: the test is claimed and sealed, with a lease that nobody renews.
    const { TestMailOutbox } = await import('../../../../src/modules/sending/tests/test-mail-outbox.service.js');
    const [mail] = testsTo(ann.email);
    const cut = mail!.raw.indexOf('\r\n\r\n');
    const sealed = (
      app.get(TestMailOutbox) as unknown as { encryptor: { encrypt(value: unknown): Buffer } }
    ).encryptor.encrypt({
      envelope: { from: mail!.envelopeFrom, to: ann.email },
      head: mail!.raw.slice(0, cut + 2),
      body: mail!.raw.slice(cut + 4),
    });
    await query(
      `update test_mails set status = 'sending', attempts = 1, payload = ?, settled_at = null, lease_until = now() - interval '1 second' where id = ?`,
      [sealed, first!.id],
    );
    await app.get(TestMailWorker).sweep();
    const mails = await untilArrived(ann.email, 3);
    await untilOver(ann);
    const ids = mails.map(({ headers }) => headers.get('message-id'));
    expect(new Set(ids).size).toBe(2);
    expect(await query(`select 1 from test_mails where user_id = ? and payload is not null`, [ann.id])).toEqual([]);
  });

  it('is not taken from a worker that still has it', async () => {
    await query(
      `insert into test_mails (user_id, address_hash, status, attempts, payload, lease_until)
       values (?, sha256(?::bytea), 'sending', 1, '\\x00', now() + interval '1 hour')`,
      [ann.id, ann.email],
    );
    await test(ann, [ann.email]).expect(202);
    await untilArrived(ann.email, 1);
    expect((await latest(ann)).map(({ status }) => status)).toContain('sending');
    await query(`delete from test_mails where user_id = ?`, [ann.id]);
  });

  it('does not go to a tester who was removed, or an account that was suspended, meanwhile', async () => {
    await query(
      `insert into test_mails (user_id, address_hash, payload) values (?, sha256('gone@testers.test'), '\\x00')`,
      [ann.id],
    );
    await app.get(TestMailWorker).sweep();
    expect(await untilOver(ann)).toMatchObject([{ address: null, status: 'failed', reason: 'the tester was removed' }]);
    await query(`update users set suspended_at = now() where id = ?`, [ann.id]);
    await query(
      `update test_mails set status = 'queued', payload = '\\x00', address_hash = sha256(?::bytea) where user_id = ?`,
      [ann.email, ann.id],
    );
    await app.get(TestMailWorker).sweep();
    await until(
      'it is over',
      async () =>
        (
          await query(`select 1 from test_mails where user_id = ? and status = 'failed' and reason = ?`, [
            ann.id,
            'your account may not send',
          ])
        ).length === 1,
    );
  });
});
