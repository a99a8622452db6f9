import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import type { StoredMail } from '../kit/sink/sink-modes.js';
import { faults } from './kit/suite.js';
import { AS_SHIPPED } from './kit/world-settings.js';

/** Number of recipients. FAULT_RECIPIENTS=100000 runs the size that is checked before a release. */
const RECIPIENTS = Number(process.env.FAULT_RECIPIENTS ?? 5_000);
/** Number of tag values in a message: one in the subject and two each in text and HTML. There is no preview line. */
const LEAST_VALUES = 5;

faults('merge tags', (fault) => {
  it('[short] with two workers killed while sending, every stored body has the values of its own recipient', async () => {
    const { world, after } = fault;
    // Leases are shortened only in the small run.
    await world.start({ ...(RECIPIENTS > 10_000 && { env: AS_SHIPPED }), workers: 2 });
    const wrong: string[] = [];
    let judged = 0;
    const { store } = Object.getPrototypeOf(world.sink) as { store: (mail: StoredMail) => number };
    world.sink.store = (mail) => {
      const own = /^v(\d+)@/.exec(mail.address)?.[1];
      if (own === undefined) return store.call(world.sink, mail);
      judged += 1;
      const found = [...mail.raw.matchAll(/Kara(\d+)araK/g)].map(([, number]) => number);
      if (found.length < LEAST_VALUES || found.some((number) => number !== own)) wrong.push(mail.address);
      return store.call(world.sink, { ...mail, raw: '' });
    };
    const account = await world.account();
    const addresses = Array.from({ length: RECIPIENTS }, (_, n) => `v${n}@x${n % 5}.test`);
    const list = await world.list(account, addresses);
    await world.db.query(
      `update subscriptions set first_name = 'Kara' || substring(email from '^v([0-9]+)') || 'araK é' where email_list_id = $1`,
      [list],
    );
    const answer = await world.post(
      '/api/send-email',
      {
        ...world.mail(list),
        subject: 'Java, {{first_name|there}}',
        content: 'Hi {{first_name|there}},\n\nare you free?\n{{first_name}}',
      },
      { account },
    );
    expect(answer.status).toBe(202);
    for (const share of [4, 2]) {
      await until('part of it is out', () => world.sink.messages > RECIPIENTS / share, 300_000);
      await after(0, 100);
      await (await world.replace(world.workers[0]!)).ready();
    }
    await world.settled(300_000);
    expect(wrong).toEqual([]);
    expect(judged).toBeGreaterThanOrEqual(RECIPIENTS);
    const mailed = world.sink.stored.filter(({ address }) => address.startsWith('v'));
    expect(new Set(mailed.map(({ address }) => address)).size).toBe(RECIPIENTS);
  });
});
