import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { AdminRights } from '../../../src/modules/auth/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

it('the command line verifies, suspends, reinstates, grants and revokes, with one audit entry each', async () => {
  const rights = app.get(AdminRights);
  const { id, email, agent } = await app.user({ verified: false });
  for (let twice = 0; twice < 2; twice += 1) expect(await rights.change(email.toUpperCase(), 'verify')).toBe(true);
  await agent.get('/api/auth/user').expect(({ body }) => expect(body.isVerified).toBe(true));
  await rights.change(email, 'grant');
  await agent.get('/api/admin/users?limit=1').expect(200);
  await rights.change(email, 'revoke');
  await agent.get('/api/admin/users?limit=1').expect(403);
  await rights.change(email, 'suspend');
  await agent.get('/api/auth/user').expect(401);
  await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(403);
  await rights.change(email, 'reinstate');
  await agent.post('/api/auth/login').send({ email, password: PASSWORD }).expect(200);
  expect(await rights.change('nobody@nowhere.test', 'suspend')).toBe(false);
  const lines = await rows<{ kind: string }>(
    app.em(),
    `select kind from audit_events where user_id = ? and reason = 'Command line' order by at, kind`,
    [id],
  );
  expect(lines.map(({ kind }) => kind)).toEqual([
    'account.verified',
    'admin.granted',
    'admin.revoked',
    'account.suspended',
    'account.reinstated',
  ]);
});
