import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { RemovalSweeper } from '../../../src/modules/lists/my-lists/removal-sweeper.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList } from '../sending/support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_LIST_LIMIT: '3', FREE_CONTACT_LIMIT: '20' } });
  ann = await app.user({ set: { tier: 'pro' } });
  bob = await app.user({ set: { tier: 'pro' } });
});
afterAll(() => app.close());

const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const pathOf = (list: string) => `/api/email-lists/${list}`;
const cursorOf = (value: string): string =>
  Buffer.from(JSON.stringify([value, '0d7f3b52-8f0e-4a43-9d6e-0f8a7c1b2e3d', 0])).toString('base64url');

const waitingFor = async (condition: string): Promise<number> =>
  (
    await sql<{ n: number }>(
      `select count(*)::int as n from pg_locks l join pg_stat_activity a using (pid) where a.datname = current_database() and not l.granted and ${condition}`,
    )
  )[0]!.n;

/** Waits until this many statements wait for a lock. */
async function waiting(count: number, condition: string): Promise<void> {
  await until(`${count} wait for a lock`, async () => (await waitingFor(condition)) >= count);
}

describe('undoing a deletion at the limit of a plan', () => {
  it('answers repeated restores with the list', async () => {
    const free = await app.user();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c'])
      ids.push((await free.agent.post('/api/email-lists').send({ name }).expect(201)).body.id as string);
    await free.agent.delete(pathOf(ids[0]!)).expect(204);
    const answers = await Promise.all(Array.from({ length: 6 }, () => free.agent.post(`${pathOf(ids[0]!)}/restore`)));
    expect(answers.map(({ status }) => status)).toEqual(Array(6).fill(200));
  });

  it('counts contacts added while the restore waited for the lock', async () => {
    const free = await app.user();
    await seedList(app, free, { count: 12 });
    const gone = await seedList(app, free, { count: 0 });
    await free.agent.delete(pathOf(gone.id)).expect(204);
    // Behaves like an import batch: locks the account, adds contacts to the deleted list, and commits.
    let answer: Promise<{ status: number }> | undefined;
    await app.em().transactional(async (em) => {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended('lists.plan:' || ?, 0))`, [free.id]);
      answer = Promise.resolve(free.agent.post(`${pathOf(gone.id)}/restore`));
      await waiting(1, `locktype = 'advisory'`);
      await rows(
        em,
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state)
         select e, e, sha256(e::bytea), 'job-posts', 'tok-' || e || ?, ?, 'none' from (select 'late' || n || '@x.test' as e from generate_series(1, 12) n) s`,
        [gone.id, gone.id],
      );
    });
    expect((await answer)!.status).toBe(403);
  });
});

interface Removed {
  list: string;
  contact: string;
  path: string;
  token: string;
}

/** A list with one contact, and functions to remove, restore and unsubscribe it. */
async function listOfOne(address: string): Promise<Removed> {
  const { id: list } = await seedList(app, ann, { addresses: [address] });
  const [found] = await sql<{ contact: string; token: string }>(
    'select id as contact, unsubscribe_token as token from subscriptions where email_list_id = ?',
    [list],
  );
  return { list, ...found!, path: `${pathOf(list)}/subscribers/${found!.contact}` };
}

describe('undoing the removal of a contact', () => {
  it('keeps the status of a concurrent unsubscribe', async () => {
    const { list, contact, path, token } = await listOfOne('leaves@race.test');
    await ann.agent.delete(path).expect(204);
    let restored: Promise<unknown> | undefined;
    let left: Promise<unknown> | undefined;
    await app.em().transactional(async (em) => {
      // Pauses the restore between its suppression check and its commit.
      await rows(em, 'select id from email_lists where id = ? for update', [list]);
      restored = Promise.resolve(ann.agent.post(`${path}/restore`).expect(200));
      await waiting(1, `locktype in ('transactionid', 'tuple')`);
      let hasLeft = false;
      left = Promise.resolve(app.http().post(`/unsubscribe/${token}`).expect(200)).then(() => (hasLeft = true));
      await until(async () => hasLeft || (await waitingFor(`locktype = 'advisory'`)) > 0);
    });
    await Promise.all([restored, left]);
    expect(await sql('select suppressed from subscriptions where id = ?', [contact])).toEqual([
      { suppressed: 'unsubscribed' },
    ]);
    expect((await ann.agent.get(pathOf(list)).expect(200)).body.contactCount).toBe(0);
  });

  it('keeps the counts right in races with adding, unsubscribing, deleting the list, the sweeper and other accounts', async () => {
    const statuses = new Set<string>();
    for (let round = 0; round < 9; round++) {
      const email = `r${round}@race.test`;
      const { list, path, token } = await listOfOne(email);
      await ann.agent.delete(path).expect(204);
      const against = [
        ['leave', () => app.http().post(`/unsubscribe/${token}`)],
        ['add', () => ann.agent.post(`${pathOf(list)}/subscribers`).send({ email })],
        ['drop', () => ann.agent.delete(pathOf(list))],
      ] as const;
      const acts = [
        ['restore', () => ann.agent.post(`${path}/restore`)],
        ['restore', () => ann.agent.post(`${path}/restore`)],
        ['other', () => bob.agent.post(`${path}/restore`)],
        against[round % 3]!,
      ] as const;
      await Promise.all([
        app.get(RemovalSweeper).sweep(),
        ...acts.map(async ([name, act]) => statuses.add(`${name} ${(await act()).status}`)),
      ]);
      const [found] = await sql<{ counted: number; held: number; unmarked: number }>(
        `select l.contact_count as counted, (count(c.id) filter (where c.suppressed is null))::int as held,
           (count(c.id) filter (where c.suppressed is null and exists (select 1 from suppressions s where s.address_hash = c.email_hash and s.owner_id = l.owner_id)))::int as unmarked
         from email_lists l left join subscriptions c on c.email_list_id = l.id where l.id = ? group by l.id`,
        [list],
      );
      expect(found).toEqual({ counted: found!.held, held: found!.held, unmarked: 0 });
    }
    for (const one of statuses)
      expect(one).toMatch(/^(restore (200|404|409)|other 404|leave 200|add (201|409)|drop 204)$/);
  });
});

describe('unusual queries', () => {
  it('to the search over all lists', async () => {
    await seedList(app, ann, { addresses: ['100%off@odd.test', 'a_b@odd.test', 'axb@odd.test', 'ünï@odd.test'] });
    await seedList(app, bob, { addresses: ['secret@bobs.test'] });
    const find = (search: string) => ann.agent.get(`/api/email-lists/contacts?search=${encodeURIComponent(search)}`);
    const emails = async (search: string) =>
      ((await find(search).expect(200)).body as { email: string }[]).map(({ email }) => email);
    expect(await emails('100%')).toEqual(['100%off@odd.test']);
    expect(await emails('a_b')).toEqual(['a_b@odd.test']);
    expect(await emails('secret')).toEqual([]);
    for (const odd of ['\\', '\\\\%', '😀', '%', '_', "'; drop table x;--", '\u202e', '{}', '()', 'İ'])
      expect([odd, (await find(odd)).status]).toEqual([odd, 200]);
    for (const odd of ['\u0000', 'a\u0000b', 'a'.repeat(10_000)]) expect((await find(odd)).status).toBe(400);
    for (const path of ['?search=a&search=b', '?search[x]=1', '?search[]=1', ''])
      expect([path, (await ann.agent.get(`/api/email-lists/contacts${path}`)).status]).toEqual([path, 400]);
    for (const raw of ['%ff', '%ed%a0%80', '%00', '%'])
      expect([raw, (await ann.agent.get(`/api/email-lists/contacts?search=${raw}`)).status < 500]).toEqual([raw, true]);
    expect((await app.http().get('/api/email-lists/contacts?search=a')).status).toBe(401);
  });

  it.each([
    'from=2026-W01-1',
    'to=2026-W53-7',
    'from=2026-01T01',
    'from=2026-02-30',
    'from=0000-00-00',
    'from=2026-01-01&to=2025-01-01',
    'to=2099-12-31',
    'from=',
    'from=2026-001Z',
    'from=1900-01T9Z',
    'from=2026-01-01&from=2026-01-02',
    'status=x',
    'status=',
    'status=sent&status=failed',
    'status[]=sent',
    'outcome=1',
    'limit=5&sort=x',
    'sort=constructor&limit=5',
    'sort=-__proto__&limit=5',
    'limit=0',
    'limit=1e3',
    'limit=5&search=%00',
    `limit=5&cursor=${cursorOf('9999-99-99T99:99:99.999999Z')}`,
    `limit=5&cursor=${cursorOf('2026-02-30T00:00:00.000000Z')}`,
    `limit=5&cursor=${cursorOf('0000-01-01T00:00:00.000000Z')}`,
    `limit=5&sort=recipients&cursor=${cursorOf('-999999999')}`,
    `limit=5&sort=subject&cursor=${cursorOf('\u0000')}`,
    `limit=5&sort=subject&cursor=${cursorOf('\ud800')}`,
    'limit=5&cursor=bnVsbA',
    'limit=5&cursor=e30',
    'timeZone=x',
  ])('to the history: %s', async (query) => {
    expect([200, 400]).toContain((await ann.agent.get(`/api/email-history?${query}`)).status);
  });

  it("to another user's list and to a deleted one", async () => {
    const list = await seedList(app, ann, { count: 1 });
    await bob.agent.get(`${pathOf(list.id)}/figures`).expect(404);
    await bob.agent.get(`${pathOf('nonsense')}/figures`).expect(404);
    await bob.agent.post(`${pathOf('nonsense')}/restore`).expect(404);
    await ann.agent.delete(pathOf(list.id)).expect(204);
    await ann.agent.get(`${pathOf(list.id)}/figures`).expect(404);
  });
});
