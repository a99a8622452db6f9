import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ProfileCountCompactor } from '../../../src/modules/contacts/profiles/profile-count-compactor.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import type { SignedUp } from '../../kit/users.js';
import { address, addTo, newContact, newList, sqlOf } from './support.js';

let app: TestApp;
const sql = sqlOf(() => app);

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const told = async (user: SignedUp) =>
  Number((await user.agent.get('/api/contacts?limit=1').expect(200)).headers['x-total-count']);
const kept = (user: SignedUp) =>
  sql<{ backend: number; profiles: number }>('select backend, profiles from profile_counts where owner_id = ?', [
    user.id,
  ]);

describe('the number of contacts', () => {
  it('is told as it is at once, whoever adds and removes people', async () => {
    const user = await app.user();
    const list = await newList(user);
    const both = address();
    const [first] = await Promise.all([
      newContact(user, { email: both }),
      newContact(user),
      newContact(user),
      addTo(user, list, { email: address(), subscriptionType: 'job-posts' }),
    ]);
    expect(await told(user)).toBe(4);
    await user.agent.post('/api/contacts').send({ email: both }).expect(409);
    await addTo(user, list, { email: both, subscriptionType: 'job-posts' });
    expect(await told(user)).toBe(4);
    await user.agent.delete(`/api/contacts/${first.id}`).expect(204);
    expect(await told(user)).toBe(3);
    await sql(
      `insert into contact_profiles (owner_id, email, email_norm, email_hash, company_domain, source)
       select ?::uuid, e, e, sha256(e::bytea), 'count.example', 'owner' from (select 'n' || n || '@count.example' as e from generate_series(1, 2000) n) x`,
      [user.id],
    );
    expect(await told(user)).toBe(2_003);
    const { body } = await user.agent
      .post('/api/contacts/bulk')
      .send({ filter: { domain: 'count.example' }, action: 'delete' })
      .expect(202);
    await until(
      async () => (await user.agent.get(`/api/contacts/bulk/${body.jobId}`).expect(200)).body.status === 'done',
    );
    expect(await told(user)).toBe(3);
  });

  it('is the same after the rows of all connections were folded into one', async () => {
    const user = await app.user();
    await Promise.all(Array.from({ length: 6 }, () => newContact(user)));
    const compact = () => app.get(ProfileCountCompactor).compact();
    await Promise.all([compact(), compact()]);
    expect(await kept(user)).toEqual([{ backend: 0, profiles: 6 }]);
    await newContact(user);
    expect(await told(user)).toBe(7);
  });

  it('is deleted for accounts that were deleted while their rows were folded', async () => {
    const gone = randomUUID();
    await sql(
      `insert into profile_counts (owner_id, backend, profiles) values (?::uuid, 0, 5), (?::uuid, 7, -1) returning profiles`,
      [gone, gone],
    );
    await app.get(ProfileCountCompactor).compact();
    expect(await sql('select backend from profile_counts where owner_id = ?', [gone])).toEqual([]);
  });

  it('goes with the account', async () => {
    const user = await app.user();
    await newContact(user);
    expect(await kept(user)).toHaveLength(1);
    await sql('delete from users where id = ?', [user.id]);
    expect(await kept(user)).toEqual([]);
  });
});
