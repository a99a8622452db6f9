import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
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
const MALFORMED = [
  '1 or 1=1',
  '..',
  '%2e%2e%2f',
  "'; drop table users; --",
  'x'.repeat(10_000),
  '%00',
  'null',
  '[object Object]',
];
const listPath = (id: string) => `/api/email-lists/${id.startsWith('%') ? id : encodeURIComponent(id)}`;

describe("another user's list, a missing one and a malformed id", () => {
  it('get the same answer', async () => {
    const { body: expected } = await ann.agent.get(listPath(MISSING)).expect(404);
    for (const id of [his.id, ...MALFORMED.filter((one) => one !== '..')]) {
      for (const call of [
        () => ann.agent.get(listPath(id)),
        () => ann.agent.patch(listPath(id)).send({ name: 'Mine now' }),
        () => ann.agent.delete(listPath(id)),
      ]) {
        const { status, body } = await call();
        expect([id.slice(0, 40), status, body.code]).toEqual([id.slice(0, 40), 404, expected.code]);
        // Paths that match no route get the general 404 answer instead.
        if (!id.startsWith('%')) expect([id.slice(0, 40), body]).toEqual([id.slice(0, 40), expected]);
      }
    }
    expect((await bob.agent.get(listPath(his.id)).expect(200)).body.name).toBe(his.name);
  });
});

describe("contacts of another user's list and of the network", () => {
  it.each(['his', 'network'])('%s: no route reveals an address', async (which) => {
    const { id } = which === 'his' ? his : network;
    const base = `${listPath(id)}/subscribers`;
    const calls = [
      () => ann.agent.get(base),
      () => ann.agent.get(`${base}?search=secret`),
      () => ann.agent.get(`${base}/export`),
      () => ann.agent.post(base).send({ email: 'in@people.test' }),
      () => ann.agent.post(`${base}/import`).send({ lines: ['in@people.test'] }),
      () => ann.agent.patch(`${base}/${MISSING}`).send({ name: 'x' }),
      () => ann.agent.delete(`${base}/${MISSING}`),
      () => ann.agent.get(`${base}/import/${MISSING}`),
      () => ann.agent.get(`${base}/import/${MISSING}/rejected.csv`),
    ];
    for (const call of calls) {
      const { status, text } = await call();
      expect(status).toBe(404);
      expect(text).not.toMatch(/secret@|network@/);
    }
  });

  it("a contact is not reachable through another user's list", async () => {
    const [contact] = await rows<{ id: string }>(app.em(), 'select id from subscriptions where email_list_id = ?', [
      his.id,
    ]);
    const path = `${listPath(hers.id)}/subscribers/${contact!.id}`;
    await ann.agent.patch(path).send({ email: 'stolen@people.test' }).expect(404);
    await ann.agent.delete(path).expect(404);
    await ann.agent.post(`${path}/resend-confirmation`).expect(404);
  });
});

describe('fields that clients must not set', () => {
  it.each([
    { ownerId: MISSING },
    { isDefault: true },
    { slug: 'mine' },
    { id: MISSING },
    { createdAt: '2020-01-01' },
    { contactCount: 5 },
    { owner: {} },
  ])('%j is refused', async (extra) => {
    await ann.agent
      .post('/api/email-lists')
      .send({ name: 'Fine', ...extra })
      .expect(400);
    await ann.agent
      .patch(listPath(hers.id))
      .send({ name: 'Fine', ...extra })
      .expect(400);
  });
});

describe('hostile texts', () => {
  it('are stored and returned as data', async () => {
    const evil = '<img src=x onerror=alert(1)>{{7*7}}${7*7}<%= 7*7 %>';
    const { body } = await ann.agent
      .post('/api/email-lists')
      .send({ name: evil, description: evil, agencyName: evil })
      .expect(201);
    expect(body).toMatchObject({ name: evil, description: evil, agencyName: evil });
    const open = await app.http().get(`/api/email-lists/slug/${body.slug}`).expect(200).expect('content-type', /json/);
    expect(open.body.name).toBe(evil);
    expect(body.slug).toMatch(/^[a-z0-9-]+$/);
    const page = await app.http().get(`/subscribe/list/${body.slug}`).expect(200);
    expect(page.text).not.toContain('onerror');
  });

  it('are limited in length', async () => {
    for (const field of ['name', 'description', 'agencyName', 'ownerName'])
      await ann.agent
        .post('/api/email-lists')
        .send({ name: 'Fine', [field]: 'x'.repeat(30_000) })
        .expect(400);
  });
});

describe('a logo is an https address loaded by browsers only', () => {
  it('other addresses are refused, and the server opens no connection', async () => {
    let touched = 0;
    const canary = createServer((socket) => {
      touched += 1;
      socket.destroy();
    }).listen(0, '127.0.0.1');
    await once(canary, 'listening');
    const { port } = canary.address() as { port: number };
    const refused = [
      'javascript:alert(1)',
      'data:text/html,x',
      '//evil.test/x.png',
      'file:///etc/passwd',
      'http://169.254.169.254/latest',
      `http://[::1]:${port}/`,
      `http://127.0.0.1:${port}/`,
      'ftp://x.test/a',
      ' https://',
      'https://',
      'https://user:pass@evil.test/x.png',
      'JaVaScRiPt:alert(1)',
      'https:\\\\evil.test',
      'vbscript:x',
      `gopher://127.0.0.1:${port}/`,
    ];
    try {
      for (const agencyLogo of refused)
        expect([
          agencyLogo,
          (await ann.agent.post('/api/email-lists').send({ name: 'Logo', agencyLogo })).status,
        ]).toEqual([agencyLogo, 400]);
      for (const agencyLogo of [
        `https://127.0.0.1:${port}/x.png`,
        `https://localhost:${port}/x.png`,
        'https://2130706433/',
      ]) {
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

describe('deleting a list', () => {
  it('answers 404 to a user and 403 to an admin for the network; deletes an own list once', async () => {
    await ann.agent.delete(listPath(network.id)).expect(404);
    await admin.agent.delete(listPath(network.id)).expect(403);
    const { body } = await ann.agent.post('/api/email-lists').send({ name: 'Short-lived' }).expect(201);
    const statuses = await Promise.all(
      Array.from({ length: 5 }, async () => (await ann.agent.delete(listPath(body.id))).status),
    );
    expect(statuses.filter((status) => status === 204)).toHaveLength(1);
    expect(statuses.filter((status) => status === 404)).toHaveLength(4);
  });
});
