import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { CROSS_SITE, PUBLIC } from '../../../src/shared/http/requests/access.decorators.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

/** Every public route. A new public route must be added here deliberately. */
const OPEN = [
  'confirmSubscription',
  'confirmTester',
  'createToken',
  'disownAccount',
  'downloadSharedFile',
  'endNotificationMail',
  'endNotificationMailOneClick',
  'forgotPassword',
  'getLive',
  'getPicture',
  'getPublicList',
  'getReady',
  'getSharedFile',
  'leaveSender',
  'listPlans',
  'listSenders',
  'login',
  'logout',
  'neverAsk',
  'neverAskOneClick',
  'noteVisit',
  'optOutOfInvites',
  'readUnsubscribe',
  'receiveMailReport',
  'receiveStripeEvent',
  'register',
  'reportClientError',
  'reportSharedFile',
  'resetPassword',
  'stripeConfig',
  'subscribe',
  'undoUnsubscribe',
  'unsubscribe',
  'unsubscribeEverything',
  'unsubscribeOneClick',
  'verifyEmail',
  'withCode',
  'withoutCode',
];
/** Every route without the Origin check. */
const CROSS = [
  'downloadSharedFile',
  'endNotificationMailOneClick',
  'neverAskOneClick',
  'receiveMailReport',
  'receiveStripeEvent',
  'unsubscribe',
  'unsubscribeOneClick',
];

let app: TestApp;

beforeAll(async () => void (app = await startApp({ env: { LINK_GUARD_SECONDS: '77' } })));
afterAll(() => app.close());

const login = (email = 'nobody@sender.test') => app.http().post('/api/auth/login').send({ email, password: PASSWORD });

describe('the origin check', () => {
  it.each([
    ['another site', { Origin: 'https://evil.test' }, 403],
    ['a twin of our name', { Origin: 'http://staffcast.test.evil.test' }, 403],
    ['a sandboxed frame', { Origin: 'null' }, 403],
    ['a fetch from another site', { 'Sec-Fetch-Site': 'cross-site' }, 403],
    ['a sister site', { 'Sec-Fetch-Site': 'same-site' }, 403],
    ['our own page', { Origin: 'http://staffcast.test', 'Sec-Fetch-Site': 'same-origin' }, 401],
    ['no browser', {}, 401],
  ])('answers %s', async (_who, headers: Record<string, string>, status) => {
    await login().set(headers).expect(status);
  });

  it('refuses forms and text without an Origin', async () => {
    await app.http().post('/api/auth/login').type('text/plain').send('{"email":"a@b.test"}').expect(415);
    await app.http().post('/api/auth/login').type('form').send({ email: 'a@b.test' }).expect(415);
  });

  it('gives other sites no read access', async () => {
    const answer = await app.http().get('/api/auth/user').set('Origin', 'https://evil.test');
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });
});

describe('routes are closed by default', () => {
  it('has exactly these public routes', () => {
    const reflector = app.get(Reflector);
    const scanner = new MetadataScanner();
    const open: string[] = [];
    const crossSite: string[] = [];
    for (const { instance, metatype } of app.get(DiscoveryService).getControllers()) {
      const prototype = Object.getPrototypeOf(instance as object) as Record<string, () => unknown>;
      for (const name of scanner.getAllMethodNames(prototype)) {
        const targets = [prototype[name]!, metatype as never];
        if (Reflect.getMetadata('path', prototype[name]!) === undefined) continue;
        if (reflector.getAllAndOverride(PUBLIC, targets)) open.push(name);
        if (reflector.getAllAndOverride(CROSS_SITE, targets)) crossSite.push(name);
      }
    }
    expect(open.sort()).toEqual(OPEN);
    expect(crossSite.sort()).toEqual(CROSS);
  });

  it('answers 401 without a session', async () => {
    for (const path of ['/api/auth/user', '/api/email-lists', '/api/email-history', '/api/usage/today']) {
      await app
        .http()
        .get(path)
        .expect(401)
        .expect(({ body }) => expect(body).toMatchObject({ statusCode: 401, code: 'unauthorized' }));
    }
  });
});

describe('malformed requests', () => {
  it('are answered with the error body', async () => {
    const post = (text: string | Buffer) =>
      app
        .http()
        .post('/api/auth/login')
        .type('json')
        .send(text as string);
    await post('{"email":')
      .expect(400)
      .expect(({ body }) => expect(body).toMatchObject({ statusCode: 400, code: 'bad_request' }));
    await post('[]').expect(400);
    await post('"x"').expect(400);
    await post(`{"email":${'['.repeat(15_000)}${']'.repeat(15_000)}}`).expect(400);
    await post('{"email":"a\\u0000@b.test","password":"12345678"}').expect(400);
    await post(JSON.stringify({ email: 'x'.repeat(1_100_000) }))
      .expect(413)
      .expect(({ body }) => expect(body.code).toBe('payload_too_large'));
    await app
      .http()
      .get('/api/nothing')
      .expect(404)
      .expect(({ body }) =>
        expect(body).toEqual({ statusCode: 404, code: 'not_found', message: 'Not found', error: 'Not found' }),
      );
    await app.http().get('/api/%E0%A4%A').expect(404);
    await app.http().get('/api/email-lists/slug/%00').expect(404);
    await app.http().trace('/api/auth/user').expect(405);
    await app.http().get('/api/auth/logout').expect(404);
  });

  it('cannot reach prototypes', async () => {
    await app
      .http()
      .post('/api/auth/register')
      .type('json')
      .send(
        `{"__proto__":{"isAdmin":true},"email":"proto@sender.test","password":"${PASSWORD}","firstName":"A","lastName":"B","role":"recruiter"}`,
      )
      .expect(({ status, body }) => expect(status === 400 || body.user.isAdmin === false).toBe(true));
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  });
});

describe('the web app', () => {
  it('answers its screens with 200 and other paths with 404', async () => {
    for (const path of ['/', '/lists/0b4f2a62', '/login', '/unsubscribe/abc', '/subscribe/list/x', '/not-me'])
      await app.http().get(path).expect(200).expect('content-type', /html/);
    for (const path of ['/nothing', '/lists/a/b', '/index.html', '/.env', '/.git/config'])
      await app.http().get(path).expect(404).expect('content-type', /html/);
    await app.http().head('/login').expect(200);
    await app.http().post('/nothing').expect(404).expect('content-type', /json/);
  });

  it('tells the page how long unsubscribe links are guarded', async () => {
    expect((await app.http().get('/unsubscribe/abc')).text).toContain('<meta name="link-guard-seconds" content="77"');
  });

  it('forbids caching and indexing of pages with tokens, and framing of all pages', async () => {
    const { headers } = await app.http().get('/verify-email?token=abc');
    expect(headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    });
    expect(headers['content-security-policy']).toMatch(/script-src 'self';.*frame-ancestors 'none'/);
    expect(headers['strict-transport-security']).toBeUndefined();
    expect(headers['x-powered-by']).toBeUndefined();
    const list = await app.http().get('/lists');
    expect(list.headers['cache-control']).toBe('no-cache');
  });
});

describe('docs and health', () => {
  it('are for admins without embedded services', async () => {
    const [user, admin] = [await app.user(), await app.user({ admin: true })];
    for (const path of ['/api/docs', '/api/docs/', '/api/openapi.json', '/api/docs/swagger-ui-init.js']) {
      await app.http().get(path).expect(401);
      await user.agent.get(path).expect(403);
      await admin.agent.get(path).expect(200);
    }
  });

  it('are public with embedded services, also under other local names', async () => {
    const local = await startApp({ beside: app, env: { STAFFCAST_EMBEDDED: 'postgres,redis,mailbox' } });
    try {
      await local.http().get('/api/docs').expect(200);
      await local.http().get('/api/openapi.json').expect(200);
      await local.http().post('/api/auth/logout').set('Origin', local.url).expect(200);
      await local.http().post('/api/auth/logout').set('Origin', 'http://evil.test').expect(403);
      await app.http().post('/api/auth/logout').set('Origin', app.url).expect(403);
    } finally {
      await local.close();
    }
  });

  it("answer only to the product's own host names with embedded services (DNS rebinding)", async () => {
    const local = await startApp({ beside: app, env: { STAFFCAST_EMBEDDED: 'postgres,redis,mailbox' } });
    try {
      const port = new URL(local.url).port;
      for (const host of [
        'evil.test',
        `evil.test:${port}`,
        'localhost.evil.test',
        '127.0.0.1.nip.test',
        '[::1].evil.test',
        '10.0.0.7',
      ]) {
        const answer = await local.http().get('/api/docs').set('Host', host).expect(421);
        expect(answer.body.code).toBe('foreign_host');
        await local.http().post('/api/auth/logout').set('Host', host).set('Origin', `http://${host}`).expect(421);
      }
      for (const host of ['localhost', `LOCALHOST:${port}`, `127.0.0.1:${port}`, '[::1]', 'staffcast.test'])
        await local.http().get('/api/docs').set('Host', host).expect(200);
      await app.http().get('/api/health/live').set('Host', 'behind.a.balancer').expect(200);
    } finally {
      await local.close();
    }
  });

  it('report the state of each service', async () => {
    await app.http().get('/api/health/live').expect(200);
    await app
      .http()
      .get('/api/health/ready')
      .expect(200, { status: 'ok', parts: { database: 'up', queue: 'up', migrations: 'up' } });
  });
});

describe('behind https', () => {
  it('marks cookies Secure and host-only, and sends HSTS', async () => {
    const secure = await startApp({ beside: app, env: { APP_URL: 'https://staffcast.test' } });
    try {
      const body = {
        email: 'secure@sender.test',
        password: PASSWORD,
        firstName: 'A',
        lastName: 'B',
        role: 'recruiter',
      };
      const answer = await secure.http().post('/api/auth/register').send(body).expect(201);
      for (const line of answer.headers['set-cookie'] as unknown as string[])
        expect(line).toMatch(/^__Host-staffcast_.*; Path=\/.*; HttpOnly; Secure; SameSite=Lax$/);
      expect(answer.headers['strict-transport-security']).toMatch(/max-age=\d{7,}/);
    } finally {
      await secure.close();
    }
  });
});
