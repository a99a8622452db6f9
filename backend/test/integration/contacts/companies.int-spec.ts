import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { newContact, sqlOf } from './support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
  [ann, bob] = await Promise.all([app.user(), app.user()]);
});
afterAll(() => app.close());

const list = async (query = '', user = ann) =>
  (await user.agent.get(`/api/companies?limit=50${query}`).expect(200)).body;
const patch = (domain: string, body: object, user = ann) => user.agent.patch(`/api/companies/${domain}`).send(body);

describe('the companies', () => {
  it('are counted from the contacts by registrable domain, without free-mail domains', async () => {
    for (const email of ['a@acme.example', 'b@mail.acme.example', 'c@other.example', 'd@gmail.com'])
      await newContact(ann, { email, company: email.includes('acme') ? 'Acme Staffing' : null });
    await newContact(bob, { email: 'x@acme.example' });
    await sql(
      `insert into contact_activity (profile_id, last_mailed_at, mailed_count)
       select id, '2026-11-20T09:30:00Z', 1 from contact_profiles where owner_id = ? and email_norm = 'c@other.example'`,
      [ann.id],
    );
    expect(await list()).toEqual([
      {
        domain: 'acme.example',
        name: 'Acme Staffing',
        kind: null,
        contacts: 2,
        lastMailedAt: null,
        maxPerSend: null,
        note: null,
        doNotSendId: null,
      },
      expect.objectContaining({
        domain: 'other.example',
        name: null,
        contacts: 1,
        lastMailedAt: '2026-11-20T09:30:00.000Z',
      }),
    ]);
    expect((await list('&sort=-lastMailedAt'))[0]).toMatchObject({ domain: 'other.example' });
    expect((await list('&search=staffing')).map(({ domain }: { domain: string }) => domain)).toEqual(['acme.example']);
    expect(await list('&search=nobody')).toEqual([]);
  });

  it('keep the name, kind, cap and note that the account gives them, and show whether a do-not-send rule covers them', async () => {
    const { body } = await patch('ACME.example', {
      name: 'Acme',
      kind: 'end_client',
      maxPerSend: 2,
      note: 'Net 45',
    }).expect(200);
    expect(body).toMatchObject({
      domain: 'acme.example',
      name: 'Acme',
      kind: 'end_client',
      maxPerSend: 2,
      note: 'Net 45',
      contacts: 2,
    });
    expect((await patch('acme.example', { maxPerSend: null }).expect(200)).body).toMatchObject({
      maxPerSend: null,
      kind: 'end_client',
    });
    expect((await patch('acme.example', { name: '' }).expect(200)).body.name).toBe('Acme Staffing');
    const { body: rule } = await ann.agent
      .post('/api/do-not-send')
      .send({ value: 'acme.example', reason: 'end_client' })
      .expect(201);
    expect(await list('&kind=end_client')).toMatchObject([{ domain: 'acme.example', doNotSendId: rule.id }]);
    expect(await list('', bob)).toMatchObject([{ domain: 'acme.example', kind: null, doNotSendId: null }]);
    await sql(`delete from contact_profiles where owner_id = ? and company_domain = 'acme.example'`, [ann.id]);
    expect(await list('&search=acme')).toMatchObject([{ domain: 'acme.example', contacts: 0, kind: 'end_client' }]);
  });

  it('refuse invalid values, and companies at which the account has no contact', async () => {
    for (const body of [
      { maxPerSend: 0 },
      { maxPerSend: 51 },
      { maxPerSend: 1.5 },
      { kind: 'friend' },
      { hotlists: 1 },
      { name: 'a\nb' },
    ])
      await patch('other.example', body).expect(400);
    for (const domain of ['unknown.example', 'gmail.com', 'co.uk', 'mail.other.example', 'a%00b'])
      await patch(domain, {}).expect(404);
    await patch('acme.example', { kind: 'vendor' }, await app.user()).expect(404);
  });

  it('are paged without gaps', async () => {
    const carl = await app.user();
    await sql(
      `insert into contact_profiles (owner_id, email, email_norm, email_hash, company_domain, source)
       select ?::uuid, e, e, sha256(e::bytea), split_part(e, '@', 2), 'owner'
       from (select 'p' || m || '@c' || n || '.example' as e from generate_series(1, 40) n, generate_series(1, 1 + n % 3) m) a`,
      [carl.id],
    );
    const seen: string[] = [];
    for (let path: string | undefined = '/api/companies?limit=7'; path;) {
      const answer: { body: { domain: string }[]; headers: Record<string, string> } = await carl.agent
        .get(path)
        .expect(200);
      expect(answer.headers['x-total-count']).toBe('40');
      seen.push(...answer.body.map(({ domain }) => domain));
      path = /<([^>]+)>; rel="next"/.exec(answer.headers.link ?? '')?.[1];
    }
    expect(new Set(seen).size).toBe(40);
    expect(seen).toHaveLength(40);
  });
});
