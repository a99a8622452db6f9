import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

describe('a flood of sign-ins', () => {
  it('does not delay outgoing mail or other requests', async () => {
    const { agent } = await app.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'Mine' }).expect(201)).body;
    let lasts = true;
    const answers: number[] = [];
    const flood = Promise.all(
      Array.from({ length: 120 }, async (_, n) => {
        for (let first = true; first || lasts; first = false) {
          answers.push(
            (
              await app
                .http()
                .post('/api/auth/login')
                .send({ email: `flood${n}@attack.test`, password: PASSWORD })
            ).status,
          );
          // eslint-disable-next-line staffcast/no-bare-wait -- the pace of the flood
          await pause(20);
        }
      }),
    );
    await agent.get('/api/auth/user').expect(200);
    await agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 'meanwhile@contact.test' }).expect(201);
    await app.mails.waitFor('meanwhile@contact.test');
    lasts = false;
    await flood;
    expect(answers.filter((status) => status !== 401 && status !== 429)).toEqual([]);
  });
});
