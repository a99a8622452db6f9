import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

describe('a flood of sign-ins', () => {
  it('waits in its own line: mail goes out and people read on while it lasts', async () => {
    const { agent } = await app.user();
    const list = (await agent.post('/api/email-lists').send({ name: 'Mine' }).expect(201)).body;
    let open = 120;
    const flood = Promise.all(Array.from({ length: open }, (_, n) =>
      app.http().post('/api/auth/login').send({ email: `flood${n}@attack.test`, password: PASSWORD }).then(({ status }) => {
        open -= 1;
        return status;
      })));
    await agent.get('/api/auth/user').expect(200);
    await agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 'meanwhile@contact.test' }).expect(201);
    await app.mails.waitFor('meanwhile@contact.test');
    expect(open).toBeGreaterThan(0);
    for (const status of await flood) expect([401, 429]).toContain(status);
  });
});
