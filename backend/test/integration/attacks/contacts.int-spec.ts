import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList } from '../sending/support.js';

let app: TestApp;
let ann: SignedUp;
let hers: SeededList;

beforeAll(async () => {
  app = await startApp();
  ann = await app.user();
  hers = await seedList(app, ann, { addresses: ['mine@people.test'] });
});
afterAll(() => app.close());

const MISSING = '0b4f2a62-0000-4000-8000-000000000000';
const listPath = (id: string) => `/api/email-lists/${id.startsWith('%') ? id : encodeURIComponent(id)}`;

describe('attacks on contacts', () => {
  const add = (body: object) => ann.agent.post(`${listPath(hers.id)}/subscribers`).send(body);

  it.each([
    { confirmed: true },
    { unsubscribeToken: 'x' },
    { emailListId: MISSING },
    { id: MISSING },
    { confirmationToken: 'x' },
    { source: 'x' },
    { suppressed: null },
  ])('%j is refused', async (extra) => {
    await add({ email: 'fine@people.test', ...extra }).expect(400);
  });

  it('several addresses in one field are refused', async () => {
    for (const email of [
      'a@x.test\r\nRCPT TO:<b@x.test>',
      'a@x.test, b@x.test',
      '"A" <a@x.test>',
      '=cmd()@',
      'a@x',
      'a b@x.test',
      `${'a'.repeat(255)}@x.test`,
      `${'a@'.repeat(15_000)}x.test`,
      ['a@x.test'],
      { $ne: null },
      5,
      true,
      'a@x.test\u0000',
    ]) {
      expect([String(email).slice(0, 40), (await add({ email })).status]).toEqual([String(email).slice(0, 40), 400]);
    }
  });

  it('unusual but valid addresses are kept as typed, and an export neutralises spreadsheet formulas', async () => {
    const { body: list } = await ann.agent.post('/api/email-lists').send({ name: 'Odd' }).expect(201);
    const path = `${listPath(list.id)}/subscribers`;
    for (const [email, name] of [
      ['+1@people.test', '=1+1'],
      ["o'neil@people.test", '@SUM(A1)'],
      ['-x@people.test', '-2+3'],
      ['Plain@people.test', '\tTab'],
    ]) {
      expect((await ann.agent.post(path).send({ email, name }).expect(201)).body.email).toBe(email);
    }
    const { text } = await ann.agent.get(`${path}/export`).expect(200);
    const cells = text
      .split(/\r?\n/)
      .slice(1)
      .filter(Boolean)
      .flatMap((line) => line.split(','))
      .map((cell) => cell.replace(/^"|"$/g, ''));
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(text).toContain("'=1+1");
  });

  it('concurrent additions of the same address create one contact', async () => {
    const answers = await Promise.all(
      Array.from({ length: 15 }, (_, n) => add({ email: n % 2 ? 'Twin@people.test' : 'twin@PEOPLE.test' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(14);
  });

  it('a flood of additions is rate limited', async () => {
    const limited = await startApp({ beside: app, env: { RATE_LIMITS: 'on' } });
    try {
      const user = await limited.user();
      const list = (await user.agent.post('/api/email-lists').send({ name: 'Flood' }).expect(201)).body.id as string;
      let status = 0;
      let answered = 0;
      for (; answered < 640 && status !== 429; answered += 20) {
        const answers = await Promise.all(
          Array.from({ length: 20 }, () => user.agent.post(`${listPath(list)}/subscribers`).send({ email: 'no' })),
        );
        status = Math.max(...answers.map((answer) => answer.status));
      }
      expect(status).toBe(429);
      expect(answered).toBeGreaterThanOrEqual(600);
    } finally {
      await limited.close();
    }
  });

  it("answers contain no token and no other user's data", async () => {
    const bodies = [
      (await ann.agent.get('/api/email-lists').expect(200)).text,
      (await ann.agent.get(`${listPath(hers.id)}/subscribers`).expect(200)).text,
      (await ann.agent.get('/api/email-history').expect(200)).text,
      (
        await app
          .http()
          .get(`/api/email-lists/slug/${(await ann.agent.get(listPath(hers.id))).body.slug}`)
          .expect(200)
      ).text,
    ];
    for (const text of bodies) {
      expect(text).not.toMatch(/token|passwordHash|password_hash|emailHash|ownerId|owner_id/i);
      expect(text).not.toContain(ann.email);
      expect(text).not.toContain('secret@people.test');
    }
  });
});
