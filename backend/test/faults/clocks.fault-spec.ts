import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import { clean, judge } from './kit/oracle.js';
import { faults, many } from './kit/suite.js';

const WEBHOOK_SECRET = 'whsec_of_the_tests';
const AHEAD = { FAULT_SKEW_MS: String(10 * 60_000) };
const BEHIND = { FAULT_SKEW_MS: String(-24 * 3_600_000) };

faults('wrong clocks', (fault) => {
  it("with one instance ten minutes ahead and one a day behind, limits, sessions and leases follow the database's clock", async () => {
    const { world } = fault;
    await world.start({
      workers: 0,
      env: {
        LOG_LEVEL: 'info',
        STRIPE_SECRET_KEY: 'sk_test_none',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_none',
        STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
        STRIPE_API_URL: 'http://127.0.0.1:9',
      },
    });
    const added = await Promise.all([
      world.addWeb(AHEAD),
      world.addWeb(BEHIND),
      world.addWorker(AHEAD),
      world.addWorker(BEHIND),
    ]);
    await Promise.all(added.map((one) => one.ready()));
    const [right, ahead, behind] = world.webs;

    const limited = await world.account(null);
    const list = await world.list(limited, many('limited', 5));
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) =>
        world.post('/api/send-email', world.mail(list), { account: limited, web: world.webs[i % 3] }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([202, ...Array(29).fill(429)]);
    const [accepted] = answers.filter(({ status }) => status === 202);
    world.acknowledged.push({
      id: ((await accepted!.json()) as { id: string }).id,
      account: limited,
      addresses: many('limited', 5),
    });

    const account = await world.account();
    for (const web of [ahead!, behind!, right!]) {
      expect((await world.get('/api/auth/user', account, web)).status).toBe(200);
      const signedIn = await world.post(
        '/api/auth/login',
        { email: account.email, password: 'correct horse battery' },
        { web },
      );
      expect(signedIn.status).toBe(200);
      const cookie = signedIn.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      for (const other of world.webs)
        expect((await world.get('/api/auth/user', { ...account, cookie }, other)).status).toBe(200);
    }

    world.sink.modes = { delayMs: 20 };
    await world.send(account, [...many('ok', 500), ...many('t450x2', 10)], behind);
    await until('both workers have sent', () => world.arrived('ok') > 100);
    world.sink.modes = {};
    await world.settled();
    expect(await judge(world)).toMatchObject({ ...clean, extraCopies: 0 });

    const event = JSON.stringify({
      id: 'evt_1',
      object: 'event',
      type: 'charge.refunded',
      livemode: false,
      data: { object: {} },
    });
    const at = Math.floor(Date.now() / 1000);
    const signature = `t=${at},v1=${createHmac('sha256', WEBHOOK_SECRET).update(`${at}.${event}`).digest('hex')}`;
    const refused = await fetch(`${ahead!.url}/api/stripe/webhook`, {
      method: 'POST',
      body: event,
      headers: { 'Content-Type': 'application/json', 'Stripe-Signature': signature },
    });
    expect(refused.status).toBe(400);
    await until('the log says why', () => /tolerance/i.test(ahead!.output));
  });
});
