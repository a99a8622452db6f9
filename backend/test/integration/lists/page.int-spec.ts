import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { Audience } from '../../../src/modules/lists/index.js';
import { NO_SORT } from '../../../src/modules/delivery/expansion/send-expansions.service.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList } from '../sending/support.js';

let app: TestApp;
let user: SignedUp;
let lists: string[];
const PEOPLE = 400;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);

/** SQL condition for one of `n` addresses, the same ones in every run. Another word selects other addresses. */
const oneIn = (n: number, word: string) => `(hashtext(c.email_norm || '${word}') & 1023) % ${n} = 0`;

/**
 * Four overlapping lists: three of the user's, one of which has no duplicates, and the default list. Every address has
 * a different history.
 */
beforeAll(async () => {
  app = await startApp();
  user = await app.user();
  const addresses = Array.from({ length: PEOPLE }, (_, i) => `P${i}@people.test`);
  lists = [];
  for (const [i, owner] of [user, user, null, user].entries())
    lists.push((await seedList(app, owner, { addresses: addresses.filter((_, n) => n % (i + 2) !== 1) })).id);
  await query(
    `update subscriptions c set created_at = now() - make_interval(mins => hashtext(email_norm || email_list_id::text) & 7), name = 'On ' || email_list_id, confirmed_at = now() - interval '1 minute'`,
  );
  const [{ since }] = (await query<{ since: Date }>(`select now() - interval '10 seconds' as since`)) as [
    { since: Date },
  ];
  asOf = new Date(since);
  await query(
    `update subscriptions c set consent = '{"how": "link"}', confirmed_at = now() - interval '30 seconds' where ${oneIn(3, 'link')} and hashtext(email_list_id::text) % 2 = 0`,
  );
  await query(`update subscriptions c set confirmed = false where ${oneIn(7, 'pending')} and email_list_id = ?`, [
    lists[0],
  ]);
  await query(
    `update subscriptions c set suppressed = 'unsubscribed' where ${oneIn(11, 'marked')} and email_list_id = ?`,
    [lists[1]],
  );
  await query(`update subscriptions c set created_at = now() where ${oneIn(13, 'late')} and email_list_id = ?`, [
    lists[3],
  ]);
  const suppress = (word: string, n: number, scope: string, owner: string | null, extra: string) =>
    query(
      `insert into suppressions (scope, owner_id, address_hash, reason, created_at, expires_at) select distinct ?, ?::uuid, c.email_hash, 'unsubscribed', ${extra} from subscriptions c where ${oneIn(n, word)} on conflict do nothing`,
      [scope, owner],
    );
  await suppress('own', 9, 'owner', user.id, `now() - interval '1 hour', null::timestamptz`);
  await suppress('lapsed', 10, 'owner', user.id, `now() - interval '1 hour', now() - interval '5 seconds'`);
  await suppress('another', 5, 'owner', (await app.user()).id, `now() - interval '1 hour', null::timestamptz`);
  await suppress('network', 6, 'network', null, `now() - interval '1 hour', null::timestamptz`);
  await suppress('everything', 8, 'all', null, `now() - interval '45 seconds', null::timestamptz`);
  await suppress('past', 12, 'all', null, `now() - interval '1 hour', now() - interval '1 minute'`);
});
afterAll(async () => {
  await app.close();
});

let asOf: Date;
type Recipient = Record<'contact_id' | 'email_list_id' | 'email' | 'email_norm' | 'name', string> & { masked: boolean };
const COLUMNS = 'contact_id, email_list_id, email, email_norm, name, masked';

const page = (chosen: string[], at: { after: string; limit: number; asOf?: Date }) =>
  app
    .em()
    .fork()
    .transactional(async (em) => {
      await rows(em, `select ${NO_SORT}`);
      const { sql, params } = app.get(Audience).pageSql(chosen, 'job-posts', user.id, at);
      return rows<Recipient>(em, `select ${COLUMNS} from (${sql}) p`, params);
    });

async function allPages(at: { asOf?: Date }, limit: number): Promise<Recipient[]> {
  const found: Recipient[] = [];
  for (;;) {
    const next = await page(lists, { ...at, after: found.at(-1)?.email_norm ?? '', limit });
    found.push(...next);
    if (next.length < limit) return found;
  }
}

/**
 * Expected result, computed list by list with a suppression check per contact: own lists before the default list,
 * oldest first.
 */
async function expected(at: { asOf?: Date }): Promise<Recipient[]> {
  const each = (await Promise.all(lists.map((list) => page([list], { ...at, after: '', limit: 10_000 })))).flat();
  const created = new Map(
    (await query<{ id: string; at: string }>(`select id, created_at::text as at from subscriptions`)).map((row) => [
      row.id,
      row.at,
    ]),
  );
  const rank = (one: Recipient) => `${one.masked} ${created.get(one.contact_id)!} ${one.contact_id}`;
  const best = new Map<string, Recipient>();
  for (const one of each)
    if (!best.has(one.email_norm) || rank(one) < rank(best.get(one.email_norm)!)) best.set(one.email_norm, one);
  return [...best.values()].sort((a, b) => (a.email_norm < b.email_norm ? -1 : 1));
}

describe('the recipients of several lists', () => {
  for (const then of [false, true]) {
    it(`are returned page by page, each address once, by the first of its contacts that may be mailed${then ? ', as of a time' : ''}`, async () => {
      const wanted = await expected(then ? { asOf } : {});
      expect(wanted.length).toBeGreaterThan(PEOPLE / 4);
      expect(wanted.length).toBeLessThan(PEOPLE);
      for (const limit of [1_000, 17]) expect(await allPages(then ? { asOf } : {}, limit)).toEqual(wanted);
    });
  }

  it('equal those of a small send', async () => {
    const { sql, params } = app.get(Audience).selectSql(
      lists.map((id) => ({ id })),
      'job-posts',
      user.id,
    );
    expect(await query(`select ${COLUMNS} from (${sql}) p order by email_norm`, params)).toEqual(await expected({}));
  });

  it('exclude people whose suppression was lifted after acceptance', async () => {
    const before = await expected({ asOf });
    await query(`delete from suppressions where scope = 'owner' and owner_id = ? and expires_at is null`, [user.id]);
    const after = await expected({ asOf });
    expect(after).toEqual(before);
    expect(await allPages({ asOf }, 50)).toEqual(before);
    expect((await expected({})).length).toBeGreaterThan(before.length);
    expect(await allPages({}, 50)).toEqual(await expected({}));
  });
});
