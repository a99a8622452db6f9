import { spawn, spawnSync } from 'node:child_process';
import { createHmac, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { join } from 'node:path';
import autocannon from 'autocannon';
import Stripe from 'stripe';
import { PASSWORD } from '../test/cluster/kit/cluster.js';
import { ROOT } from '../test/cluster/kit/processes.js';
import { until } from '../test/kit/until.js';
import type { Options } from './main.js';
import { ms, quantile, type Row } from './report.js';
import { roundRobin } from './sending.js';
import { errorsOf, evenly, flood, medianRun, type LoadResult, words } from './constant-rate.js';
import { PINNED, Stage } from './stage.js';

/** Calibrates the machine: measures empty answers per second, and signatures per second on one core. */
export async function calibration(): Promise<Row[]> {
  const stage = await Stage.open();
  try {
    const result = await autocannon({ url: `${stage.url}/api/health/live`, duration: 8, connections: 10 });
    const speed = spawnSync('openssl', ['speed', '-seconds', '2', 'rsa2048'], { encoding: 'utf8' }).stdout ?? '';
    const signs = /rsa\s+2048 bits\s+\S+\s+\S+(?:\s+\S+\s+\S+)?\s+([\d.]+)\s+[\d.]+/.exec(speed)?.[1] ?? '?';
    return [
      {
        what: 'calibration',
        measured: `${Math.round(result.requests.average)} empty answers/s through nginx, ${signs} RSA-2048 signatures/s on one core; ${PINNED ? 'the product and its database on core 0, generator and sink on core 1' : 'not pinned'}`,
        target: '-',
      },
    ];
  } finally {
    await stage.close();
  }
}

/**
 * Measures sign-ins at 5 a second, then at 50 a second from one IP address. At 50 a second, the server must refuse some
 * with 429; meanwhile, the p95 of reads must stay below twice its normal value.
 */
export async function signIn({ rounds, seconds }: Options): Promise<Row[]> {
  const stage = await Stage.open();
  try {
    const user = await stage.user();
    const calls = await stage.reads();
    const login = {
      url: stage.url,
      requests: [
        {
          method: 'POST' as const,
          path: '/api/auth/login',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ email: user.email, password: PASSWORD }),
        },
      ],
    };
    await evenly(5, 3, login);
    const shots: LoadResult[] = [];
    for (let round = 0; round < rounds; round += 1) shots.push(await evenly(5, Math.min(seconds, 20), login));
    const calm = await evenly(100, 20, roundRobin(stage, calls));
    const { path, ...request } = login.requests[0]!;
    const [crowd, busy] = await Promise.all([
      flood(50, 30, () => fetch(stage.url + path, request)),
      evenly(100, 30, roundRobin(stage, calls)),
    ]);
    const run = medianRun(shots);
    const refused = crowd.statuses[429] ?? 0;
    const other = Object.entries(crowd.statuses).filter(([status]) => !['200', '429'].includes(status));
    return [
      {
        what: 'sign-ins at 5/s',
        measured: words(run),
        target: 'p95 < 500 ms',
        met: run.p95 < 500 && errorsOf(run) === 0,
      },
      {
        what: 'sign-ins at 50/s from one address',
        measured: `${refused} of ${crowd.total} answered 429, p95 ${ms(crowd.p95)}${other.length ? `; others: ${JSON.stringify(other)}` : ''}`,
        target: '429s',
        met: refused > 0 && other.length === 0,
      },
      {
        what: 'reads at 100/s meanwhile',
        measured: `p95 ${ms(busy.p95)} after ${ms(calm.p95)}; ${errorsOf(busy)} errors`,
        target: 'p95 < 2x',
        met: busy.p95 < 2 * calm.p95 && errorsOf(busy) === 0,
      },
    ];
  } finally {
    await stage.close();
  }
}

/** Reads the 50,000 contacts of a list without `limit`, so that the response is streamed. */
export async function largeList(): Promise<Row[]> {
  const stage = await Stage.open();
  try {
    const user = await stage.user();
    const list = await stage.list(user, 50_000);
    const read = async (): Promise<number> => {
      const started = performance.now();
      const answer = await fetch(`${stage.url}/api/email-lists/${list}/subscribers`, {
        headers: { cookie: user.cookie },
      });
      const found = ((await answer.json()) as unknown[]).length;
      if (found !== 50_000) throw new Error(`${found} contacts`);
      return performance.now() - started;
    };
    await read();
    await read();
    const before = await Promise.all(stage.cluster.webs.map((web) => stage.vitals(web)));
    const times: number[] = [];
    let peak = 0;
    for (let run = 0; run < 20; run += 1) {
      times.push(await read());
      const now = await Promise.all(stage.cluster.webs.map((web) => stage.vitals(web)));
      peak = Math.max(peak, ...now.map(({ rss }, at) => rss - before[at]!.rss));
      before.forEach((web, at) => (web.loopDelay = Math.max(run === 0 ? 0 : web.loopDelay, now[at]!.loopDelay)));
    }
    const delay = Math.max(...before.map(({ loopDelay }) => loopDelay));
    const p95 = quantile(times, 0.95);
    return [
      {
        what: 'read 50,000 contacts, streamed',
        measured: `p50 ${ms(quantile(times, 0.5))}, p95 ${ms(p95)}; memory +${Math.round(peak)} MB; event-loop delay p99 ${ms(delay)}`,
        target: 'p95 < 1.5 s, < +100 MB, delay < 100 ms',
        met: p95 < 1500 && peak < 100 && delay < 100,
      },
    ];
  } finally {
    await stage.close();
  }
}

/** Posts 500 Stripe events, each one twice, at 100 posts a second. The events come from the simulator. */
export async function webhooks(): Promise<Row[]> {
  const secret = `whsec_${randomBytes(12).toString('hex')}`;
  const child = spawn(process.execPath, [join(ROOT, 'backend', 'stripe-simulator', 'process.ts')], {
    env: { ...process.env, STRIPE_SIMULATOR: JSON.stringify({ pagesBase: 'http://127.0.0.1/stripe-simulator' }) },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ url }] = (await once(child, 'message')) as [{ url: string }];
  const key = 'sk_test_load_0123456789';
  const stage = await Stage.open({
    STRIPE_SECRET_KEY: key,
    STRIPE_PUBLISHABLE_KEY: 'pk_test_load_0123456789',
    STRIPE_WEBHOOK_SECRET: secret,
    STRIPE_API_URL: url,
  });
  try {
    const stripe = new Stripe(key, {
      host: '127.0.0.1',
      port: Number(new URL(url).port),
      protocol: 'http',
      telemetry: false,
    });
    const events = await paidEvents(stage, stripe, 20);
    const bodies = Array.from({ length: 500 }, (_none, n) =>
      JSON.stringify({ ...events[n % events.length]!, id: `evt_load_${n}` }),
    );
    const at = Math.floor(Date.now() / 1000);
    const posts = [...bodies, ...bodies].map((body, n) => ({
      n,
      body,
      headers: {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`,
      },
    }));
    // The second post of an event follows shortly after the first, as a retry would.
    posts.sort((a, b) => (a.n % 500) - (b.n % 500) + (a.n >= 500 ? 3 : 0) - (b.n >= 500 ? 3 : 0));
    let next = 0;
    const shot = await evenly(100, 10, {
      url: stage.url,
      requests: [
        {
          method: 'POST',
          path: '/api/stripe/webhook',
          setupRequest: (request: object) => ({
            ...request,
            body: posts[next % posts.length]!.body,
            headers: posts[next++ % posts.length]!.headers,
          }),
        },
      ],
    });
    const { rows } = await stage.cluster.db.query<{ n: number; terms: number; active: number }>(
      `select (select count(*)::int from stripe_events where id like 'evt_load_%' and outcome = 'synced') as n, (select count(*)::int from user_subscriptions) as terms,
              (select count(*)::int from user_subscriptions where status = 'active') as active`,
    );
    const { n, terms, active } = rows[0]!;
    const once500 = n === 500 && terms === 20 && active === 20;
    return [
      {
        what: 'webhooks at 100/s, each twice',
        measured: `${words(shot)}; ${n} of 500 events took effect once, ${active} of ${terms} plans active`,
        target: 'p95 < 200 ms, one effect each',
        met: shot.p95 < 200 && errorsOf(shot) === 0 && once500,
      },
    ];
  } finally {
    await stage.close();
    child.kill('SIGTERM');
  }
}

/**
 * Lets users buy a plan while no webhook is delivered.
 * @returns the events of their payments
 */
async function paidEvents(stage: Stage, stripe: Stripe, buyers: number): Promise<object[]> {
  for (let n = 0; n < buyers; n += 1) {
    const { agent } = await stage.user();
    const plans = (await agent.get('/api/billing/plans').expect(200)).body as {
      billingInterval: string;
      stripePriceId: string;
    }[];
    const priceId = plans.find(({ billingInterval }) => billingInterval === 'month')!.stripePriceId;
    const { clientSecret } = (
      await agent.post('/api/stripe/create-subscription').send({ priceId, billingPeriod: 'monthly' }).expect(200)
    ).body as { clientSecret: string };
    await stripe.paymentIntents.confirm(clientSecret.split('_secret_')[0]!, {
      payment_method: 'pm_card_visa',
      return_url: `${stage.url}/settings?payment=success`,
    });
  }
  const found: object[] = [];
  await until('the payments are there', async () => {
    found.length = 0;
    for await (const event of stripe.events.list({ type: 'invoice.paid', limit: 100 })) found.push(event);
    return found.length >= buyers;
  });
  return found;
}
