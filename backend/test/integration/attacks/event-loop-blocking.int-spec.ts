import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type ApiDocument, ask, type HostileRequest, hostileRequests } from '../../kit/samples/hostile-bodies.js';
import { hostileText, HOSTILE_UNITS } from '../../kit/samples/hostile-texts.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, sendBody, settled, startSending, type SeededList } from '../sending/support.js';
import { sessionOf } from './support.js';

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../../openapi/openapi.json'), 'utf8'),
) as ApiDocument;
const HOSTILE_BODIES = Number(process.env.HOSTILE_BODIES ?? 1_000);
/** Requests that are open at the same time. */
const WIDTH = 4;
/**
 * Maximum number of answers that may arrive between a probe and its answer: those of the open requests, and of as many
 * that follow them.
 */
const MOST_BEFORE_PROBE = 2 * WIDTH;

const sink = new SmtpSink({ bodies: false, log: false });
let app: TestApp;
let user: SignedUp;
let list: SeededList;
let contact: string;
let cookie: string;
let requests: HostileRequest[][];

beforeAll(async () => {
  app = await startSending({}, { env: { SMTP_URL: await sink.listen() } });
  user = await app.user({ admin: true, set: { tier: 'pro' } });
  list = await seedList(app, user, { count: 3 });
  contact = (
    await user.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email: 'one@contact.test' }).expect(201)
  ).body.id;
  cookie = sessionOf(
    await app.http().post('/api/auth/login').send({ email: user.email, password: PASSWORD }).expect(200),
  );
  requests = hostileRequests(document, { list: list.id, contact });
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

/** Sends requests, some at a time. */
async function askAll(all: readonly HostileRequest[], answered: (one: HostileRequest, status: number) => void) {
  let begun = 0;
  await Promise.all(
    Array.from({ length: WIDTH }, async () => {
      while (begun < all.length) {
        const one = all[begun++]!;
        answered(one, await ask(app.url, cookie, one));
      }
    }),
  );
}

// `npm run bench -- --only bodies` measures for how long a body blocks the process.
describe('any request body', () => {
  it('is answered without a 5xx', async () => {
    const faults: string[] = [];
    await askAll(requests.flat(), ({ name }, status) => {
      if (status >= 500 || status === 0) faults.push(`${name}: ${status}`);
    });
    expect(faults).toEqual([]);
    // The session is still valid, so the bodies were read and not merely refused as unauthenticated.
    expect(await ask(app.url, cookie, { method: 'GET', path: '/api/auth/me' })).toBe(200);
  }, 600_000);

  it('lets a health probe pass, also under thousands of hostile requests and messages', async () => {
    const cases = requests
      .flat()
      .filter(({ path }) => !path.includes('subscribers/import'))
      .flatMap((one) => [one, { ...one, isSignedOut: true }]);
    const rush = Array.from({ length: HOSTILE_BODIES }, (_, n) => cases[(n * 7919) % cases.length]!);
    const sends = ['longWords', 'bidi', 'emoji', 'addresses', 'tildes', 'cjk'].map(async (unit) => {
      const content = `${Math.random()} ${hostileText(HOSTILE_UNITS[unit]!, 98_900)}`;
      const { body } = await user.agent
        .post('/api/send-email')
        .send(sendBody(list, { subject: unit, content }))
        .expect(202);
      return settled(user, body.id, 120_000);
    });
    const statuses = new Map<number, number>();
    let answers = 0;
    let isOver = false;
    const work = askAll(rush, (_one, status) => {
      answers += 1;
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }).finally(() => (isOver = true));
    const before: number[] = [];
    while (!isOver) {
      const asked = answers;
      expect(await ask(app.url, cookie, { method: 'GET', path: '/api/health/live', isSignedOut: true })).toBe(200);
      before.push(answers - asked);
    }
    await work;
    for (const { counts } of await Promise.all(sends)) expect(counts.sent).toBe(3);
    expect([...statuses.keys()].filter((status) => status >= 500 || status === 0)).toEqual([]);
    expect(Math.max(...before)).toBeLessThanOrEqual(MOST_BEFORE_PROBE);
  }, 600_000);
});
