import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';

const CONTACTS = 21_000;
let app: TestApp;
let ann: SignedUp;
let path: string;

beforeAll(async () => {
  app = await startApp();
  ann = await app.user();
  path = await listOf(CONTACTS);
});
afterAll(() => app.close());

/** A list of this many contacts: half of the addresses begin with m, half with n, and all contain a q. */
async function listOf(count: number): Promise<string> {
  const id = (
    await ann.agent
      .post('/api/email-lists')
      .send({ name: `List of ${count}` })
      .expect(201)
  ).body.id as string;
  await rows(
    app.em(),
    `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state, suppressed)
     select e, e, sha256(e::bytea), 'job-posts', md5(e || ?) || n, ?::uuid, 'none', case when n % 2 = 1 and n <= 1000 then 'unsubscribed' end
     from (select n, case when n % 2 = 0 then 'm' else 'n' end || n || '@qumail.example' as e from generate_series(1, ?::int) n) s`,
    [id, id, count],
  );
  await rows(app.em(), 'analyze subscriptions');
  return `/api/email-lists/${id}/subscribers`;
}

async function found(url: string) {
  const { headers, body } = await ann.agent.get(url).expect(200);
  const next = /<([^>]+)>; rel="next"/.exec(headers['link'] ?? '')?.[1];
  return {
    total: headers['x-total-count'],
    capped: headers['x-total-capped'],
    next,
    emails: body.map(({ email }: { email: string }) => email) as string[],
  };
}

describe('a search of a large list', () => {
  it('counts at most 10,000 matches, reports where there are more, and can be paged beyond', async () => {
    let page = await found(`${path}?limit=1000&search=qumail`);
    const seen = new Set<string>();
    for (;;) {
      expect([page.total, page.capped]).toEqual(['10000', 'true']);
      for (const email of page.emails) seen.add(email);
      if (!page.next) break;
      page = await found(page.next);
    }
    expect(seen.size).toBe(CONTACTS - 500);
  });

  it('counts exactly below 10,000, with a filter alone and for the whole collection', async () => {
    expect(await found(`${path}?limit=10&search=n2`)).toMatchObject({ total: '1000', capped: undefined });
    expect(await found(`${path}?limit=10&status=unsubscribed`)).toMatchObject({ total: '500', capped: undefined });
    expect(await found(`${path}?limit=10`)).toMatchObject({ total: String(CONTACTS - 500), capped: undefined });
    const whole = await found(`${path}?search=qumail`);
    expect([whole.total, whole.capped, whole.emails.length]).toEqual(['10000', 'true', CONTACTS - 500]);
  });

  it('matches one or two letters only at the beginning of addresses, to avoid a full scan', async () => {
    expect(await found(`${path}?limit=5&search=M`)).toMatchObject({
      total: '10000',
      capped: 'true',
      emails: expect.arrayContaining([expect.stringMatching(/^m/)]),
    });
    expect(await found(`${path}?limit=5&search=q`)).toMatchObject({ total: '0', emails: [] });
    expect(await found(`${path}?limit=5&search=%25`)).toMatchObject({ total: '0', emails: [] });
    expect(await found(`${path}?limit=5&search=@q`)).toMatchObject({ total: '10000', capped: 'true' });
  });

  it("reads at most 256 kB of the trigram index's pending list", async () => {
    const [row] = await rows<{ reloptions: string[] }>(
      app.em(),
      `select reloptions from pg_class where relname = 'subscriptions_email_trigram'`,
    );
    expect(row!.reloptions).toEqual(['gin_pending_list_limit=256']);
  });

  it('finds one or two letters anywhere in a small list', async () => {
    expect(await found(`${await listOf(40)}?limit=5&search=q`)).toMatchObject({ total: '20' });
  });

  it('behaves the same for admins, over all lists', async () => {
    const admin = await app.user({ admin: true });
    const { headers, body } = await admin.agent.get('/api/admin/subscriptions?limit=5&search=qumail').expect(200);
    expect([headers['x-total-count'], headers['x-total-capped'], body.length]).toEqual(['10000', 'true', 5]);
    expect((await admin.agent.get('/api/admin/subscriptions?limit=5&search=q').expect(200)).body).toEqual([]);
  });
});
