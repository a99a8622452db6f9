import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest, Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { POOL_PATIENCE } from '../../../src/shared/database/pool.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, send, type SeededList, settled, startSending } from '../sending/support.js';

const PEOPLE = 1_000;
const PATIENCE_MS = 1_500;
const sink = new SmtpSink({ bodies: false, log: false });
const patience = POOL_PATIENCE.web;
let app: TestApp;
let ann: SignedUp;

beforeAll(async () => {
  Object.assign(POOL_PATIENCE, { web: PATIENCE_MS });
  app = await startSending({}, { env: { SMTP_URL: await sink.listen() } });
  ann = await app.user({ set: { tier: 'pro' } });
});
afterAll(async () => {
  await app.close();
  await sink.close();
  POOL_PATIENCE.web = patience;
});

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

const tokensOf = async (list: SeededList) =>
  (
    await query<{ token: string }>(
      'select unsubscribe_token as token from subscriptions where email_list_id = ? order by id',
      [list.id],
    )
  ).map(({ token }) => token);

/** Concurrent one-click unsubscribes of mail programs. */
async function clickAll(tokens: string[]): Promise<{ status: number }[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: PEOPLE });
  try {
    return await Promise.all(tokens.map((token) => click(token, agent)));
  } finally {
    agent.destroy();
  }
}

function click(token: string, agent: Agent): Promise<{ status: number }> {
  return new Promise((resolve, reject) => {
    const req = httpRequest(
      `${app.url}/unsubscribe/${token}`,
      { agent, method: 'POST', headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      (res) => {
        res.resume().on('end', () => resolve({ status: res.statusCode! }));
      },
    );
    // If the server has just closed a kept connection, retries on a new one, as every client does.
    req.on('error', (error: NodeJS.ErrnoException) =>
      req.reusedSocket && error.code === 'ECONNRESET' ? click(token, agent).then(resolve, reject) : reject(error),
    );
    req.end('List-Unsubscribe=One-Click');
  });
}

const countOf = (answers: { status: number }[]) =>
  Object.entries(Object.groupBy(answers, ({ status }) => status)).map(([status, all]) => `${status}: ${all!.length}`);

/**
 * Checks the state after 1,000 unsubscribes: one suppression and one consent event for each, and none of these contacts
 * on the list.
 */
async function expectAllGone(list: SeededList): Promise<void> {
  const [found] = await query<Record<string, number>>(
    `select (select count(distinct s.address_hash)::int from suppressions s join subscriptions c on c.email_hash = s.address_hash where c.email_list_id = l.id and s.owner_id = l.owner_id) as suppressed,
       (select count(*)::int from consent_events e where e.email_list_id = l.id and e.kind = 'withdrawn' and e.contact_id is not null and e.how = 'one-click') as withdrawn,
       (select count(*)::int from subscriptions c where c.email_list_id = l.id and c.suppressed = 'unsubscribed' and c.unsubscribed_at is not null) as marked, l.contact_count as counted
     from email_lists l where l.id = ?`,
    [list.id],
  );
  expect(found).toEqual({ suppressed: PEOPLE, withdrawn: PEOPLE, marked: PEOPLE, counted: 0 });
}

describe('a thousand concurrent unsubscribes', () => {
  it('are all answered with 200 during a send, each of them twice', async () => {
    const list = await seedList(app, ann, { count: PEOPLE });
    const tokens = await tokensOf(list);
    const other = await seedList(app, ann, { addresses: Array.from({ length: 2_000 }, (_, n) => `q${n}@others.test`) });
    const first = await send(ann, list);
    await settled(ann, first);
    const drain = await send(ann, other);
    const answers = await clickAll([...tokens, ...tokens]);
    expect(countOf(answers)).toEqual([`200: ${2 * PEOPLE}`]);
    await expectAllGone(list);
    const [{ n }] = (await query<{ n: number }>(
      'select count(*)::int as n from email_delivery_logs where history_id = ? and unsubscribed_at is not null',
      [first],
    )) as [{ n: number }];
    expect(n).toBe(PEOPLE);
    await settled(ann, drain);
  });

  it('are answered also while their list is locked for longer than the connection timeout', async () => {
    const list = await seedList(app, ann, { addresses: Array.from({ length: PEOPLE }, (_, n) => `r${n}@people.test`) });
    const tokens = await tokensOf(list);
    const clicks = await app.em().transactional(async (em) => {
      await rows(em, 'select 1 from email_lists where id = ? for update', [list.id]);
      const clicks = clickAll(tokens);
      // eslint-disable-next-line staffcast/no-bare-wait -- the lock's length is the point
      await pause(PATIENCE_MS / 3);
      // Other requests get database connections meanwhile.
      // eslint-disable-next-line staffcast/no-bare-wait -- the lock's length is the point
      for (const until = Date.now() + PATIENCE_MS * 2; Date.now() < until; await pause(100))
        await ann.agent.get('/api/email-lists').expect(200);
      return { clicks };
    });
    expect(countOf(await clicks.clicks)).toEqual([`200: ${PEOPLE}`]);
    await expectAllGone(list);
  });
});
