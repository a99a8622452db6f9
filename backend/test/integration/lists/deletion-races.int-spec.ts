import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

interface Scene {
  user: SignedUp;
  list: string;
  contacts: string[];
}

async function scene(): Promise<Scene> {
  const user = await app.user();
  const list = (await user.agent.post('/api/email-lists').send({ name: 'Going', ownerName: 'Ann' }).expect(201)).body
    .id as string;
  const contacts = await Promise.all(
    [0, 1, 2, 3].map(
      async (n) =>
        (
          await user.agent
            .post(`/api/email-lists/${list}/subscribers`)
            .send({ email: `c${n}@contact.test` })
            .expect(201)
        ).body.id as string,
    ),
  );
  return { user, list, contacts };
}

type Call = (n: string) => PromiseLike<{ status: number; text: string }>;

/** Calls on a list and an account while one of them is being deleted. */
function calls({ user: { agent }, list, contacts }: Scene): Record<string, Call> {
  const own = `/api/email-lists/${list}`;
  const any = (n: string) => contacts[n.length % contacts.length]!;
  return {
    add: (n) => agent.post(`${own}/subscribers`).send({ email: `new${n}@contact.test`, name: 'N' }),
    importLines: (n) => agent.post(`${own}/subscribers/import`).send({ lines: [`i${n}@contact.test`] }),
    importFile: (n) => agent.post(`${own}/subscribers/import`).type('text/csv').send(`email\nf${n}@contact.test\n`),
    edit: (n) => agent.patch(`${own}/subscribers/${any(n)}`).send({ name: n, email: `e${n}@contact.test` }),
    resend: (n) => agent.post(`${own}/subscribers/${any(n)}/resend-confirmation`).send(),
    subscribe: (n) =>
      app
        .http()
        .post('/api/subscribe')
        .send({ email: `s${n}@contact.test`, subscriptionType: 'job-posts', emailListId: list }),
    change: (n) => agent.patch(own).send({ description: n }),
    create: (n) => agent.post('/api/email-lists').send({ name: `Another ${n}` }),
    send: (n) =>
      agent.post('/api/send-email').send({ emailListIds: [list], emailType: 'job-post', subject: 'S', content: n }),
    settings: (n) => agent.patch('/api/auth/user/settings').send({ agencyName: n }),
    read: () => agent.get(`${own}/subscribers`),
  };
}

/** Repeats all calls concurrently until the deletion is visible. @returns the number of 5xx answers */
async function hammer(one: Scene, end: () => PromiseLike<{ status: number }>): Promise<Record<string, number>> {
  const faults: Record<string, number> = {};
  let ended = false;
  let answers = 0;
  /** Waits for this many more answers. */
  const heard = async (more: number, from = answers) => void (await until(() => answers >= from + more));
  const loops = Object.entries(calls(one)).flatMap(([name, call]) =>
    [0, 1, 2].map(async (lane) => {
      for (let n = 0; !ended || n === 0; n += 1) {
        const { status, text } = await call(`${lane}-${n}`);
        answers++;
        if (status >= 500) faults[`${name} ${status} ${text}`] = (faults[`${name} ${status} ${text}`] ?? 0) + 1;
      }
    }),
  );
  await heard(20);
  const { status } = await end();
  if (status >= 500) faults[`the end ${status}`] = 1;
  await heard(10);
  ended = true;
  await Promise.all(loops);
  return faults;
}

describe('calls during the deletion of a list or its owner', () => {
  it('are never answered with a 5xx when the list is deleted', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const one = await scene();
      expect(await hammer(one, () => one.user.agent.delete(`/api/email-lists/${one.list}`))).toEqual({});
    }
  });

  it('are never answered with a 5xx when the account is deleted', async () => {
    for (let turn = 0; turn < 6; turn += 1) {
      const one = await scene();
      expect(
        await hammer(one, () => one.user.agent.post('/api/auth/delete-account').send({ password: PASSWORD })),
      ).toEqual({});
    }
  });
});
