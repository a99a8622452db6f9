import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { figure, info, quantile, type Figure } from '../goals/goals.js';
import { CONTENT, SUBJECT } from '../message.js';
import type { SinkProcess } from '../processes.js';
import { seen, withWorker } from '../rates.js';
import type { Bench } from '../scenario.js';
import type { World } from '../world.js';

/**
 * Sizes of the scenario: accounts with one small send each; recipients of each large send; sends of the account that
 * starts many, and recipients of each of them; seconds over which the small sends start.
 */
const SMALL_SENDERS = Number(process.env.BENCH_TENANTS ?? 1_000);
const LARGE_SEND_RECIPIENTS = Number(process.env.BENCH_TENANTS_LARGE ?? 300_000);
const SENDS_OF_ONE_ACCOUNT = Number(process.env.BENCH_TENANTS_SENDS ?? 100);
const RECIPIENTS_OF_EACH = Number(process.env.BENCH_TENANTS_EACH ?? 5_000);
const START_SECONDS = Number(process.env.BENCH_TENANTS_SECONDS ?? 120);
const [MIN_SMALL_RECIPIENTS, MAX_SMALL_RECIPIENTS] = [20, 200];
const LARGE_SENDERS = 3;
const CONCURRENT_REGISTRATIONS = 4;
/** Domain of the visitors that `probe` subscribes; the time until they get their confirmation mail is measured. */
const PROBE = 'probe.bench';

/** An account that sends. */
interface Tenant {
  userId: string;
  cookies: string;
  listId: string;
}

/** Goal 18: accounts with small sends, while three accounts have large sends and one account starts a hundred. */
export async function tenants({ world, sink }: Bench): Promise<Figure[]> {
  await world.db.query(`update email_lists set name = 'Network' where is_default`);
  const all = await register(world, SMALL_SENDERS + LARGE_SENDERS + 1);
  const [many, ...large] = all.splice(0, LARGE_SENDERS + 1);
  await seed(world, large, () => LARGE_SEND_RECIPIENTS);
  await seed(world, [many!], () => RECIPIENTS_OF_EACH);
  await seed(world, all, sizeOf);
  await world.db.query('vacuum analyze subscriptions');
  await sink.set({ perSecond: { none: 1 }, providers: { [PROBE]: 'probe' } });
  await sink.reset();
  return withWorker(world, async (worker) => {
    for (const one of large) await send(world, one, 'Large');
    const started = performance.now();
    for (let i = 0; i < SENDS_OF_ONE_ACCOUNT; i++) await send(world, many!, `Many ${i}`);
    const startedIn = (performance.now() - started) / 1000;
    await seen(sink, 1_000);
    const probing = new AbortController();
    const probes = probe(world, sink, probing.signal);
    const from = new Date();
    const statements = await world.statements();
    const spent = worker.processorTime();
    await spread(all, (one) => send(world, one, 'Small'));
    const until = new Date();
    const seconds = (until.getTime() - from.getTime()) / 1000;
    const ran = (await world.statements()) - statements;
    const share = await shares(world, [many!, ...large], from, until);
    await smallSendsEnded(world, all);
    probing.abort();
    const delays = await probes;
    const waits = await waitsOf(world, all);
    if (process.env.BENCH_STATEMENTS) process.stderr.write(`${await world.statementTable()}\n`);
    const open = await world.db.query<{ n: string }>(
      `select count(*) as n from email_history where status = 'pending'`,
    );
    const sent = share.reduce((sum, n) => sum + n, 0) + waits.recipients;
    const largest = share.slice(1);
    return [
      figure(
        '18',
        quantile(waits.last, 0.99),
        `${SMALL_SENDERS} sends in ${seconds.toFixed(0)} s; first message p99 ${quantile(waits.first, 0.99).toFixed(1)} s, of the last p50 ${quantile(waits.last, 0.5).toFixed(1)} s, longest ${Math.max(...waits.last).toFixed(1)} s`,
      ),
      figure(
        '18b',
        Math.abs(share[0]! / (largest.reduce((sum, n) => sum + n, 0) / largest.length) - 1),
        `of ${SENDS_OF_ONE_ACCOUNT} sends ${share[0]}, of one large each ${largest.join(', ')}; ${open.rows[0]!.n} sends were still open`,
      ),
      figure('18c', Math.max(...delays), `${delays.length} in all, median ${quantile(delays, 0.5).toFixed(2)} s`),
      info('messages a second in all', sent / seconds, '/s'),
      info(`time to accept ${SENDS_OF_ONE_ACCOUNT} sends`, startedIn, 's'),
      info('statements per 500 recipients', (ran * 500) / sent, ''),
      info("the worker's share of a core", ((worker.processorTime() - spent) / seconds) * 100, '%'),
      info('worker memory, peak', worker.peak(), 'MB'),
    ];
  });
}

const sizeOf = (i: number): number =>
  MIN_SMALL_RECIPIENTS + ((i * 37) % (MAX_SMALL_RECIPIENTS - MIN_SMALL_RECIPIENTS + 1));

async function register(world: World, count: number): Promise<Tenant[]> {
  const found: Tenant[] = [];
  const one = async (): Promise<void> => {
    while (found.length < count) {
      const tenant: Tenant = { userId: '', cookies: '', listId: randomUUID() };
      found.push(tenant);
      const body = {
        email: `u${randomUUID()}@sender.test`,
        password: 'correct horse battery',
        firstName: 'Ann',
        lastName: 'Kumar',
        role: 'recruiter',
      };
      const answer = await fetch(`${world.env.APP_URL}/api/auth/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`register: ${answer.status} ${await answer.text()}`);
      tenant.cookies = answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      tenant.userId = ((await answer.json()) as { user: { id: string } }).user.id;
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT_REGISTRATIONS }, one));
  await world.db.query(`update auth_credentials set is_verified = true, verified_at = now()`);
  await world.db.query(`update users set custom_daily_limit = '1000000', agency_name = 'Acme'`);
  await world.db.query('delete from system_mails');
  return found;
}

/** Creates a list of confirmed contacts for each account. */
async function seed(world: World, owners: readonly Tenant[], size: (index: number) => number): Promise<void> {
  const lists = owners.map(({ userId, listId }, i) => ({ id: listId, owner: userId, size: size(i) }));
  await world.db.query(
    `insert into email_lists (id, name, slug, owner_id) select l.id, 'Java people', 's-' || l.id, l.owner from jsonb_to_recordset($1::jsonb) as l(id uuid, owner uuid)`,
    [JSON.stringify(lists)],
  );
  await world.db.query(
    `insert into subscriptions (email, email_norm, email_hash, name, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
     select e, e, sha256(e::bytea), 'Person Ünique ' || n, 'job-posts', true, now(), rtrim(translate(encode(sha256((e || id)::bytea), 'base64'), '+/', '-_'), '='), id, 'none'
     from (select l.id, n, 'p' || n || '-' || substr(l.id::text, 1, 8) || '@people' || n % 50 || '.test' as e from jsonb_to_recordset($1::jsonb) as l(id uuid, size int) cross join generate_series(1, l.size) n) s`,
    [JSON.stringify(lists)],
  );
}

/** Starts a send. Retries while the server is busy, as clients do. */
async function send(world: World, { cookies, listId }: Tenant, name: string): Promise<void> {
  const body = JSON.stringify({
    emailListIds: [listId],
    subject: `${SUBJECT} ${name}`,
    content: CONTENT,
    emailType: 'job-post',
  });
  for (let tries = 1; ; tries++) {
    const answer = await fetch(`${world.env.APP_URL}/api/send-email`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Cookie: cookies, 'Idempotency-Key': name },
      body,
    });
    const text = await answer.text();
    if (answer.ok) return;
    if (answer.status !== 503 || tries === 10) throw new Error(`send-email: ${answer.status} ${text}`);
    await pause(1_000);
  }
}

/** Starts the sends evenly over SECONDS. */
async function spread(owners: readonly Tenant[], start: (owner: Tenant) => Promise<void>): Promise<void> {
  const from = performance.now();
  const starting: Promise<void>[] = [];
  for (const [i, owner] of owners.entries()) {
    const due = from + (i * START_SECONDS * 1000) / owners.length;
    if (due > performance.now()) await pause(due - performance.now());
    starting.push(start(owner));
  }
  await Promise.all(starting);
}

/**
 * Subscribes visitors one after another.
 * @returns seconds until each confirmation mail arrived
 */
async function probe(world: World, sink: SinkProcess, signal: AbortSignal): Promise<number[]> {
  const delays: number[] = [];
  const arrived = async (): Promise<number> => (await sink.counts()).byProvider.probe?.accepted ?? 0;
  for (let i = 0; !signal.aborted; i++) {
    const before = await arrived();
    const asked = performance.now();
    await world.call('POST', '/api/subscribe', { email: `v${i}@${PROBE}`, subscriptionType: 'job-posts' });
    while ((await arrived()) <= before) {
      if (performance.now() - asked > 120_000) throw new Error('a confirmation mail did not arrive');
      await pause(20);
    }
    delays.push((performance.now() - asked) / 1000);
    await pause(1_000);
  }
  return delays;
}

/** Number of messages of each account that were sent between two times. */
async function shares(world: World, owners: readonly Tenant[], from: Date, until: Date): Promise<number[]> {
  const { rows } = await world.db.query<{ userId: string; n: number }>(
    `select d.user_id as "userId", count(*)::int as n from email_delivery_logs d where d.user_id = any ($1::uuid[]) and d.sent_at between $2 and $3 group by 1`,
    [owners.map(({ userId }) => userId), from, until],
  );
  return owners.map(({ userId }) => rows.find((row) => row.userId === userId)?.n ?? 0);
}

/** Waits until all small sends have ended. */
async function smallSendsEnded(world: World, owners: readonly Tenant[]): Promise<void> {
  const ids = owners.map(({ userId }) => userId);
  for (const end = Date.now() + 300_000; ; await pause(500)) {
    const { rows } = await world.db.query<{ n: number }>(
      `select count(*)::int as n from email_history where user_id = any ($1::uuid[]) and status = 'pending'`,
      [ids],
    );
    if (rows[0]!.n === 0) return;
    if (Date.now() > end) throw new Error(`${rows[0]!.n} small sends did not end`);
  }
}

/** Seconds from the acceptance of each small send to its first message, and to its last. */
async function waitsOf(
  world: World,
  owners: readonly Tenant[],
): Promise<{ first: number[]; last: number[]; recipients: number }> {
  const { rows } = await world.db.query<{ first: number; last: number; n: number }>(
    `select extract(epoch from min(d.sent_at) - h.sent_at)::float8 as first, extract(epoch from max(d.sent_at) - h.sent_at)::float8 as last, count(*) filter (where d.status = 'sent')::int as n
     from email_history h join email_delivery_logs d on d.history_id = h.id where h.user_id = any ($1::uuid[]) group by h.id`,
    [owners.map(({ userId }) => userId)],
  );
  const recipients = rows.reduce((sum, { n }) => sum + n, 0);
  const asked = owners.reduce((sum, _owner, i) => sum + sizeOf(i), 0);
  if (recipients !== asked) throw new Error(`${recipients} of ${asked} messages of small sends went out`);
  return { first: rows.map(({ first }) => first), last: rows.map(({ last }) => last), recipients };
}
