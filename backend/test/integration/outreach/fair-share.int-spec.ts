import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SystemMailOutbox } from '../../../src/shared/mail/system-mail/system-mail-outbox.js';
import { hashAddress } from '../../../src/shared/mail/address.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { newList, query, subscribe } from './support.js';

let app: TestApp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_OUTREACH_BUDGET: '100000' } });
});
afterAll(() => app.close());

describe('fair shares', () => {
  it('sends a password reset before earlier confirmation mails in the outbox', async () => {
    const outbox = app.get(SystemMailOutbox);
    const content = {
      subject: 'A mail',
      heading: 'A mail',
      paragraphs: ['Text'],
      action: { label: 'Open', url: 'http://staffcast.test/x' },
    };
    const mail = (to: string, priority: 'account' | 'unasked') => ({
      kind: 'test.mail',
      to,
      recipientHash: hashAddress(to),
      priority,
      content,
    });
    await app.em().transactional(async (em) => {
      await outbox.enqueueAll(
        em,
        Array.from({ length: 300 }, (_, n) => mail(`slow${n}@share.example`, 'unasked')),
      );
      await outbox.enqueue(em, mail('reset@share.example', 'account'));
    });
    await outbox.kick();
    await app.mails.waitFor('reset@share.example');
    const before = app.mails.all.filter(({ to }) => to[0]!.startsWith('slow')).length;
    expect(before).toBeLessThan(30);
  });

  it('mails a visitor of a fifth list while four owners have 20,000 waiting each', async () => {
    for (let n = 0; n < 4; n += 1) {
      const { id } = await newList(await app.user());
      await query(
        app,
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, source)
         select e, e, sha256(e::bytea), 'job-posts', 'waiting-' || e, ?, 'import' from (select 'w' || i || '@waiting${n}.example' as e from generate_series(1, 20000) i) x`,
        [id],
      );
    }
    const owner = await app.user();
    const { id } = await newList(owner);
    const sentOf = async () =>
      new Map(
        (
          await query<{ list: string; n: number }>(
            app,
            `select email_list_id as list, count(*)::int as n from subscriptions where source = 'import' and opt_in_state = 'sent' group by 1`,
          )
        ).map(({ list, n }) => [list, n]),
      );
    await app.mails.waitForTotal(app.mails.all.length + 50);
    const before = await sentOf();
    const waiting = () => app.mails.all.filter(({ to }) => to[0]!.includes('@waiting')).length;
    const earlier: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const email = `visitor${n}@fifth.example`;
      const asked = waiting();
      await subscribe(app, { email, emailListId: id }).expect(200);
      await app.mails.waitFor(email);
      earlier.push(waiting() - asked);
    }
    const [left] = await query<{ n: number }>(
      app,
      `select count(*)::int as n from subscriptions where opt_in_state = 'due'`,
    );
    expect(left!.n).toBeGreaterThan(60_000);
    // Before each visitor's mail, fewer mails of the waiting imports went out than one batch holds.
    expect(Math.max(...earlier)).toBeLessThan(200);
    await app.mails.waitForTotal(app.mails.all.length + 1_000);
    const grown = [...(await sentOf())].map(([list, n]) => n - (before.get(list) ?? 0));
    expect(grown).toHaveLength(4);
    expect(Math.max(...grown)).toBeLessThan(1.5 * Math.min(...grown) + 60);
  });
});
