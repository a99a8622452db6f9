import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { mailedToken, person } from '../attacks/support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const A_DAY = 10;
const register = async (email: string) => {
  const agent = request.agent(app.url);
  await agent.post('/api/auth/register').send(person(email)).expect(201);
  return agent;
};
const owedTo = async (mailbox: string): Promise<number> =>
  (
    await rows<{ owed: number }>(
      app.em(),
      `select count(*)::int as owed from system_mails where recipient_mailbox = mailbox_hash(?)`,
      [mailbox],
    )
  )[0]!.owed;

describe('mail about unverified accounts to a mailbox', () => {
  it('is limited to ten a day over all aliases and kinds, also concurrently', async () => {
    const agents = await Promise.all(Array.from({ length: 4 }, (_, n) => register(`vic.tim+${n}@gmail.com`)));
    for (const [n, agent] of agents.entries()) {
      await Promise.all(Array.from({ length: 3 }, () => agent.post('/api/auth/resend-verification')));
      for (let k = 0; k < 3; k += 1)
        await app
          .http()
          .post('/api/auth/forgot-password')
          .send({ email: `vic.tim+${n}@gmail.com` })
          .expect(200);
      await agent
        .post('/api/auth/change-password')
        .send({ currentPassword: PASSWORD, newPassword: `${PASSWORD} ${n}` })
        .expect(200);
      await agent
        .post('/api/auth/delete-account')
        .send({ password: `${PASSWORD} ${n}` })
        .expect(200);
      await register(`v.i.c.t.i.m+${n}@googlemail.com`);
    }
    expect(await owedTo('victim@gmail.com')).toBe(A_DAY);
  });

  it('reports the limit, leaves the last links valid, and is possible again after a day', async () => {
    const agent = await register('full@mailbox.test');
    await app.http().post('/api/auth/forgot-password').send({ email: 'full@mailbox.test' }).expect(200);
    const reset = await mailedToken(app, 'full@mailbox.test', '/reset-password');
    const verify = await mailedToken(app, 'full@mailbox.test', '/verify-email');
    for (let n = await owedTo('full@mailbox.test'); n < A_DAY; n += 1) await register(`full+${n}@mailbox.test`);
    const { body, headers } = await agent.post('/api/auth/resend-verification').expect(429);
    expect(body).toMatchObject({
      code: 'rate_limited',
      message: expect.stringContaining('Please use the link of an earlier one'),
    });
    expect(Number(headers['retry-after'])).toBeGreaterThan(80_000);
    await app.http().post('/api/auth/forgot-password').send({ email: 'full@mailbox.test' }).expect(200);
    await app
      .http()
      .post('/api/auth/reset-password')
      .send({ token: reset, password: `${PASSWORD} anew` })
      .expect(200);
    await app.http().post('/api/auth/verify-email').send({ token: verify }).expect(200);
    // For comparison, a verified account gets every notice.
    const before = await owedTo('full@mailbox.test');
    await app.http().post('/api/auth/forgot-password').send({ email: 'full@mailbox.test' }).expect(200);
    expect(await owedTo('full@mailbox.test')).toBe(before + 1);
    const other = await register('full+other@mailbox.test');
    await other.post('/api/auth/resend-verification').expect(429);
    await rows(app.em(), `update system_mails set created_at = created_at - interval '25 hours'`);
    await other.post('/api/auth/resend-verification').expect(200);
  });
});
