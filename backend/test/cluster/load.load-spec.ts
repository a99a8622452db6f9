import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import autocannon from 'autocannon';
import { SMTPServer } from 'smtp-server';
import { Cluster, PASSWORD } from './kit/cluster.js';
import { until } from './kit/processes.js';

/** The targets of guide/reliability-security.md §3, on this machine as it is; figures, no gate: only errors fail it. */
const SECONDS = Number(process.env.LOAD_SECONDS ?? 30);
const cluster = new Cluster();
const sink = new SMTPServer({
  authOptional: true, disabledCommands: ['STARTTLS', 'AUTH'], disableReverseLookup: true,
  onData: (stream, _session, done) => {
    stream.on('end', () => {
      stored += 1;
      done();
    });
    stream.resume();
  },
});
let stored = 0;
const table: { what: string; measured: string; target: string; met: boolean }[] = [];

beforeAll(async () => {
  await new Promise<void>((ready) => sink.listen(0, '127.0.0.1', () => ready()));
  const { port } = sink.server.address() as { port: number };
  await cluster.start({ RATE_LIMITS: 'off', LOG_LEVEL: 'warn', SMTP_URL: `smtp://127.0.0.1:${port}` });
}, 90_000);
afterAll(async () => {
  console.log(['', ...table.map(({ what, measured, target, met }) => `${met ? 'met   ' : 'MISSED'}  ${what}: ${measured} (target ${target})`)].join('\n'));
  await cluster.stop();
  sink.close();
});

const note = (what: string, measured: string, target: string, met: boolean): void => void table.push({ what, measured, target, met });
const ms = (value: number): string => `${Math.round(value)} ms`;
const shoot = (options: autocannon.Options) => autocannon({ duration: SECONDS, connections: 20, ...options });
const sum = (result: autocannon.Result): string => `p50 ${ms(result.latency.p50)}, p97.5 ${ms(result.latency.p97_5)}, p99 ${ms(result.latency.p99)}, max ${ms(result.latency.max)}, ${result.errors + result.non2xx} errors of ${result.requests.total}`;

describe('load through the load balancer', () => {
  it('calibration: the empty answer, and what one core signs', async () => {
    const result = await autocannon({ url: `${cluster.lb.url}/api/health/live`, duration: 8, connections: 20 });
    const signs = /rsa\s+2048 bits\s+\S+\s+\S+\s+([\d.]+)/.exec(spawnSync('openssl', ['speed', '-seconds', '2', 'rsa2048'], { encoding: 'utf8' }).stdout ?? '')?.[1];
    note('calibration', `${Math.round(result.requests.average)} empty answers/s, ${signs ?? '?'} RSA-2048 signatures/s`, '-', true);
    expect(result.errors).toBe(0);
  }, 60_000);

  it('accepts sends to 10,000', async () => {
    const user = await cluster.user();
    const list = await cluster.list(user.id, 10_000, 'accept.test');
    const times: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const started = performance.now();
      await user.agent.post('/api/send-email').send({ emailListIds: [list], subject: `Load ${n}`, content: 'Hello', emailType: 'job-post' }).expect(202);
      times.push(performance.now() - started);
      await cluster.db.query(`update email_delivery_logs set status = 'skipped' where user_id = $1 and status = 'queued'`, [user.id]);
    }
    times.sort((a, b) => a - b);
    note('accept a send to 10,000', `median ${ms(times[2]!)}, worst of 5 ${ms(times[4]!)}`, 'p95 < 1.5 s', times[4]! < 1500);
  }, 120_000);

  it('answers reads and unsubscribes while 10,000 are delivered', async () => {
    const user = await cluster.user();
    const list = await cluster.list(user.id, 10_000, 'drain.test');
    const { rows } = await cluster.db.query<{ token: string }>('select unsubscribe_token as token from subscriptions where email_list_id = $1 limit 2000', [list]);
    await until('what was sent before has ended', async () => (await cluster.db.query(`select 1 from email_delivery_logs where status in ('queued', 'sending') limit 1`)).rowCount === 0, 120_000);
    const before = stored;
    const send = await user.agent.post('/api/send-email').send({ emailListIds: [list], subject: 'Drain', content: 'Hello', emailType: 'job-post' }).expect(202);
    const started = performance.now();
    const drained = until('all are delivered', async () => (await user.agent.get(`/api/email-history/${send.body.id}`)).body.status === 'sent', 600_000).then(() => performance.now() - started);
    let next = 0;
    const [reads, leaves] = await Promise.all([
      shoot({ url: cluster.lb.url, overallRate: 100, headers: { cookie: user.cookie }, requests: ['/api/email-lists?limit=20', '/api/email-history?limit=20', '/api/auth/user', '/api/dashboard/stats'].map((path) => ({ path })) }),
      shoot({ url: cluster.lb.url, overallRate: 20, connections: 5, requests: [{ method: 'POST', setupRequest: (request) => ({ ...request, path: `/unsubscribe/${rows[next++ % rows.length]!.token}`, body: 'List-Unsubscribe=One-Click', headers: { 'content-type': 'application/x-www-form-urlencoded' } }) }] }),
    ]);
    const seconds = (await drained) / 1000;
    note('reads at 100/s while draining', sum(reads), 'p95 < 120 ms, p99 < 300 ms, 0 errors', reads.latency.p97_5 < 120 && reads.latency.p99 < 300 && reads.errors + reads.non2xx === 0);
    note('unsubscribes at 20/s while draining', sum(leaves), 'p99 < 300 ms', leaves.latency.p99 < 300 && leaves.non2xx === 0);
    note('drain 10,000 (unsigned, two workers, under that load)', `${Math.round((stored - before) / seconds)} messages/s`, '>= 60/s', (stored - before) / seconds >= 60);
    expect(reads.errors + reads.non2xx + leaves.errors + leaves.non2xx).toBe(0);
  }, 700_000);

  it('signs people in', async () => {
    const user = await cluster.user();
    const result = await shoot({ url: `${cluster.lb.url}/api/auth/login`, method: 'POST', overallRate: 5, connections: 5, headers: { 'content-type': 'application/json' }, body: JSON.stringify({ email: user.email, password: PASSWORD }) });
    note('sign-ins at 5/s', sum(result), 'p95 < 500 ms', result.latency.p97_5 < 500 && result.non2xx === 0);
    expect(result.errors + result.non2xx).toBe(0);
  }, 120_000);
});
