import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { seedList, type SeededList } from '../sending/support.js';

let app: TestApp;
let ann: SignedUp;
let bob: SignedUp;
let admin: SignedUp;
let hers: SeededList;
let his: SeededList;
let network: SeededList;

beforeAll(async () => {
  app = await startApp();
  [ann, bob, admin] = [await app.user(), await app.user(), await app.user({ admin: true })];
  hers = await seedList(app, ann, { addresses: ['mine@people.test'] });
  his = await seedList(app, bob, { addresses: ['secret@people.test'] });
  network = await seedList(app, null, { addresses: ['network@people.test'] });
});
afterAll(() => app.close());

const MISSING = '0b4f2a62-0000-4000-8000-000000000000';
const MALFORMED = ['1 or 1=1', '..', '%2e%2e%2f', "'; drop table users; --", 'x'.repeat(10_000), '%00', 'null', '[object Object]'];
const listPath = (id: string) => `/api/email-lists/${id.startsWith('%') ? id : encodeURIComponent(id)}`;

describe('S25 a list of someone else, a missing one and a malformed id', () => {
  it('cannot be told apart', async () => {
    const { body: expected } = await ann.agent.get(listPath(MISSING)).expect(404);
    for (const id of [his.id, ...MALFORMED.filter((one) => one !== '..')]) {
      for (const call of [() => ann.agent.get(listPath(id)), () => ann.agent.patch(listPath(id)).send({ name: 'Mine now' }), () => ann.agent.delete(listPath(id))]) {
        const { status, body } = await call();
        expect([id.slice(0, 40), status, body.code]).toEqual([id.slice(0, 40), 404, expected.code]);
        // What no route can be made of meets no handler, and its answer is the general one.
        if (!id.startsWith('%')) expect([id.slice(0, 40), body]).toEqual([id.slice(0, 40), expected]);
      }
    }
    expect((await bob.agent.get(listPath(his.id)).expect(200)).body.name).toBe(his.name);
  });
});

describe('S26 contacts of someone else\'s list and of the network', () => {
  it.each(['his', 'network'])('%s: no address leaks by any way', async (which) => {
    const { id } = which === 'his' ? his : network;
    const base = `${listPath(id)}/subscribers`;
    const calls = [
      () => ann.agent.get(base), () => ann.agent.get(`${base}?search=secret`), () => ann.agent.get(`${base}/export`), () => ann.agent.post(base).send({ email: 'in@people.test' }),
      () => ann.agent.post(`${base}/import`).send({ lines: ['in@people.test'] }), () => ann.agent.patch(`${base}/${MISSING}`).send({ name: 'x' }), () => ann.agent.delete(`${base}/${MISSING}`),
      () => ann.agent.get(`${base}/import/${MISSING}`), () => ann.agent.get(`${base}/import/${MISSING}/rejected.csv`),
    ];
    for (const call of calls) {
      const { status, text } = await call();
      expect(status).toBe(404);
      expect(text).not.toMatch(/secret@|network@/);
    }
  });

  it('his contact is not reached by way of her list', async () => {
    const [contact] = await rows<{ id: string }>(app.em(), 'select id from subscriptions where email_list_id = ?', [his.id]);
    const path = `${listPath(hers.id)}/subscribers/${contact!.id}`;
    await ann.agent.patch(path).send({ email: 'stolen@people.test' }).expect(404);
    await ann.agent.delete(path).expect(404);
    await ann.agent.post(`${path}/resend-confirmation`).expect(404);
  });
});

describe('S27 fields that are not the client\'s to set', () => {
  it.each([{ ownerId: MISSING }, { isDefault: true }, { slug: 'mine' }, { id: MISSING }, { createdAt: '2020-01-01' }, { contactCount: 5 }, { owner: {} }])('%j is refused', async (extra) => {
    await ann.agent.post('/api/email-lists').send({ name: 'Fine', ...extra }).expect(400);
    await ann.agent.patch(listPath(hers.id)).send({ name: 'Fine', ...extra }).expect(400);
  });
});

describe('S28 texts that want to be more', () => {
  it('are stored as they were typed and come back as data', async () => {
    const evil = '<img src=x onerror=alert(1)>{{7*7}}${7*7}<%= 7*7 %>';
    const { body } = await ann.agent.post('/api/email-lists').send({ name: evil, description: evil, agencyName: evil }).expect(201);
    expect(body).toMatchObject({ name: evil, description: evil, agencyName: evil });
    const open = await app.http().get(`/api/email-lists/slug/${body.slug}`).expect(200).expect('content-type', /json/);
    expect(open.body.name).toBe(evil);
    expect(body.slug).toMatch(/^[a-z0-9-]+$/);
    const page = await app.http().get(`/subscribe/list/${body.slug}`).expect(200);
    expect(page.text).not.toContain('onerror');
  });

  it('have an end', async () => {
    for (const field of ['name', 'description', 'agencyName', 'ownerName']) await ann.agent.post('/api/email-lists').send({ name: 'Fine', [field]: 'x'.repeat(30_000) }).expect(400);
  });
});

describe('S29 a logo is an https address that only browsers load', () => {
  it('nothing else is taken, and the server opens no connection', async () => {
    let touched = 0;
    const canary = createServer((socket) => {
      touched += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as { port: number };
    const refused = [
      'javascript:alert(1)', 'data:text/html,x', '//evil.test/x.png', 'file:///etc/passwd', 'http://169.254.169.254/latest', `http://[::1]:${port}/`, `http://127.0.0.1:${port}/`, 'ftp://x.test/a',
      ' https://', 'https://', 'https://user:pass@evil.test/x.png', 'JaVaScRiPt:alert(1)', 'https:\\\\evil.test', 'vbscript:x', `gopher://127.0.0.1:${port}/`,
    ];
    try {
      for (const agencyLogo of refused) expect([agencyLogo, (await ann.agent.post('/api/email-lists').send({ name: 'Logo', agencyLogo })).status]).toEqual([agencyLogo, 400]);
      for (const agencyLogo of [`https://127.0.0.1:${port}/x.png`, `https://localhost:${port}/x.png`, 'https://2130706433/']) {
        const { status, body } = await ann.agent.post('/api/email-lists').send({ name: 'Logo', agencyLogo });
        expect([201, 400]).toContain(status);
        if (status === 201) await app.http().get(`/api/email-lists/slug/${body.slug}`).expect(200);
      }
      expect(touched).toBe(0);
    } finally {
      canary.close();
    }
  });
});

describe('S30 deleting', () => {
  it('the network: not even known to a user, forbidden to an admin; one\'s own: once', async () => {
    await ann.agent.delete(listPath(network.id)).expect(404);
    await admin.agent.delete(listPath(network.id)).expect(403);
    const { body } = await ann.agent.post('/api/email-lists').send({ name: 'Short-lived' }).expect(201);
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await ann.agent.delete(listPath(body.id))).status));
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(4);
  });
});

describe('S31 to S34 contacts', () => {
  const add = (body: object) => ann.agent.post(`${listPath(hers.id)}/subscribers`).send(body);

  it.each([{ confirmed: true }, { unsubscribeToken: 'x' }, { emailListId: MISSING }, { id: MISSING }, { confirmationToken: 'x' }, { source: 'x' }, { suppressed: null }])('S31 %j is refused', async (extra) => {
    await add({ email: 'fine@people.test', ...extra }).expect(400);
  });

  it('S32 addresses that are more than one address are refused at once', async () => {
    const started = Date.now();
    for (const email of ['a@x.test\r\nRCPT TO:<b@x.test>', 'a@x.test, b@x.test', '"A" <a@x.test>', '=cmd()@', 'a@x', 'a b@x.test', `${'a'.repeat(255)}@x.test`, `${'a@'.repeat(15_000)}x.test`, ['a@x.test'], { $ne: null }, 5, true, 'a@x.test\u0000']) {
      expect([String(email).slice(0, 40), (await add({ email })).status]).toEqual([String(email).slice(0, 40), 400]);
    }
    expect(Date.now() - started).toBeLessThan(20_000);
  });

  it('S32 odd but valid ones are kept as typed, and an export defuses what a spreadsheet would run', async () => {
    const { body: list } = await ann.agent.post('/api/email-lists').send({ name: 'Odd' }).expect(201);
    const path = `${listPath(list.id)}/subscribers`;
    for (const [email, name] of [['+1@people.test', '=1+1'], ["o'neil@people.test", '@SUM(A1)'], ['-x@people.test', '-2+3'], ['Plain@people.test', '\tTab']]) {
      expect((await ann.agent.post(path).send({ email, name }).expect(201)).body.email).toBe(email);
    }
    const { text } = await ann.agent.get(`${path}/export`).expect(200);
    const cells = text.split(/\r?\n/).slice(1).filter(Boolean).flatMap((line) => line.split(',')).map((cell) => cell.replace(/^"|"$/g, ''));
    expect(cells.filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);
    expect(text).toContain("'=1+1");
  });

  it('S33 the same address many times at once is one contact', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, (_, n) => add({ email: n % 2 ? 'Twin@people.test' : 'twin@PEOPLE.test' })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(14);
  });

  it('S33 a flood is slowed down', async () => {
    const limited = await startApp({ beside: app, env: { RATE_LIMITS: 'on' } });
    try {
      const user = await limited.user();
      const list = (await user.agent.post('/api/email-lists').send({ name: 'Flood' }).expect(201)).body.id as string;
      let status = 0;
      let answered = 0;
      for (; answered < 640 && status !== 429; answered += 20) {
        const answers = await Promise.all(Array.from({ length: 20 }, () => user.agent.post(`${listPath(list)}/subscribers`).send({ email: 'no' })));
        status = Math.max(...answers.map((answer) => answer.status));
      }
      expect(status).toBe(429);
      expect(answered).toBeGreaterThanOrEqual(600);
    } finally {
      await limited.close();
    }
  });

  it('S34 answers hold no token and nobody else\'s data', async () => {
    const bodies = [
      (await ann.agent.get('/api/email-lists').expect(200)).text, (await ann.agent.get(`${listPath(hers.id)}/subscribers`).expect(200)).text, (await ann.agent.get('/api/email-history').expect(200)).text,
      (await app.http().get(`/api/email-lists/slug/${(await ann.agent.get(listPath(hers.id))).body.slug}`).expect(200)).text,
    ];
    for (const text of bodies) {
      expect(text).not.toMatch(/token|passwordHash|password_hash|emailHash|ownerId|owner_id/i);
      expect(text).not.toContain(ann.email);
      expect(text).not.toContain('secret@people.test');
    }
  });
});
