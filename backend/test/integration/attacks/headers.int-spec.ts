import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;
let secure: TestApp;

beforeAll(async () => {
  app = await startApp();
  secure = await startApp({ beside: app, env: { APP_URL: 'https://mail.staffcast.test' } });
});
afterAll(async () => {
  await secure.close();
  await app.close();
});

const PAGES = [
  '/',
  '/login',
  '/register',
  '/dashboard',
  '/lists',
  '/lists/0b4f2a62-0000-4000-8000-000000000000',
  '/send',
  '/history',
  '/referrals',
  '/subscribe',
  '/settings',
  '/admin',
  '/forgot-password',
  '/reset-password?token=x',
  '/not-me?token=x',
  '/check-email',
  '/verify-email?token=x',
  '/subscribe/list/x',
  '/subscribe/pending',
  '/subscribe/confirmed?token=x',
  '/unsubscribe/x',
  '/no-such-page',
  '/deep/no/such/page',
];
const ANSWERS = ['/api/auth/user', '/api/no-such-thing', '/api/health/live', '/api/metrics', '/favicon.svg'];

describe('headers of every answer', () => {
  it.each([...PAGES, ...ANSWERS])('%s', async (path) => {
    const { headers } = await secure.http().get(path);
    const policy = Object.fromEntries(
      String(headers['content-security-policy'])
        .split(';')
        .map((part) => part.trim().split(/\s+/))
        .map(([name, ...sources]) => [name, sources]),
    );
    expect(policy['default-src']).toEqual(["'self'"]);
    expect(policy['frame-ancestors']).toEqual(["'none'"]);
    expect(policy['object-src']).toEqual(["'none'"]);
    expect(policy['base-uri']).toBeDefined();
    expect(policy['form-action']).toBeDefined();
    for (const unsafe of ["'unsafe-inline'", "'unsafe-eval'", 'data:', 'https:', 'http:', '*'])
      expect(policy['script-src']).not.toContain(unsafe);
    if (!path.startsWith('/subscribe')) expect(JSON.stringify(policy)).not.toContain('stripe');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
    });
    expect(headers['strict-transport-security']).toMatch(/max-age=31536000/);
    expect(headers['referrer-policy']).toMatch(/^(no-referrer|strict-origin-when-cross-origin|same-origin)$/);
    expect(headers['permissions-policy']).toMatch(/camera=\(\)/);
    expect(headers['x-powered-by']).toBeUndefined();
    if (path.startsWith('/api/')) expect(headers['cache-control']).toBe('no-store');
  });

  it('only the payment page allows Stripe, and only where billing uses Stripe', async () => {
    const policy = async (on: TestApp, path: string) =>
      String((await on.http().get(path).set('Accept', 'text/html')).headers['content-security-policy']);
    const real = await startApp({
      beside: app,
      env: {
        STRIPE_SECRET_KEY: 'sk_test_x',
        STRIPE_PUBLISHABLE_KEY: 'pk_test_x',
        STRIPE_WEBHOOK_SECRET: 'whsec_x',
        STRIPE_API_URL: 'http://127.0.0.1:9',
      },
    });
    try {
      for (const path of ['/subscribe', '/subscribe/', '/subscribe?x=y']) {
        expect(await policy(real, path)).toMatch(
          /script-src 'self' https:\/\/js\.stripe\.com .*connect-src 'self' https:\/\/api\.stripe\.com;.*frame-src https:\/\/js\.stripe\.com .* https:\/\/hooks\.stripe\.com/,
        );
        expect(await policy(app, path)).not.toContain('stripe');
      }
      for (const path of [
        '/',
        '/settings',
        '/subscribe/list/x',
        '/subscribe/pending',
        '/subscribed',
        '/login?next=/subscribe',
      ])
        expect(await policy(real, path)).not.toContain('stripe');
    } finally {
      await real.close();
    }
  });

  it('no page contains an inline script, so the policy breaks none', async () => {
    const { text } = await app.http().get('/login').expect(200);
    expect(text).not.toMatch(/<script(?![^>]*\ssrc=)/);
    expect(text).not.toMatch(/\son\w+=/);
  });
});

describe('malformed requests and hidden files', () => {
  /** Sent as raw bytes, because the test agent would convert a buffer to JSON. */
  const post = async (body: Buffer, headers: Record<string, string> = {}): Promise<number> =>
    (
      await fetch(`${app.url}/api/auth/login`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: new Uint8Array(body),
      })
    ).status;

  it('a gzip bomb is refused by its unpacked size', async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 'x'));
    expect(bomb.length).toBeLessThan(100_000);
    expect(await post(bomb, { 'Content-Encoding': 'gzip' })).toBe(413);
  });

  it('invalid UTF-8, endless depth and TRACE are refused', async () => {
    expect(await post(Buffer.from('{"email":"\xff\xfe"}', 'latin1'))).toBe(400);
    expect(await post(Buffer.from('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)))).toBe(400);
    await app.http().trace('/').expect(405);
  });

  it('two lengths in one request are refused', async () => {
    const { port } = new URL(app.url);
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1');
      let text = '';
      socket.on('data', (chunk) => (text += chunk.toString())).on('close', () => resolve(text));
      socket.write(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 6\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /api/health/live HTTP/1.1\r\nHost: x\r\n\r\n',
      );
    });
    expect(answer).toMatch(/^HTTP\/1\.1 400/);
    expect(answer).not.toContain('"status":"ok"');
  });

  it('no source, source map or configuration is served for any path', async () => {
    const script = /src="(\/assets\/[^"]+)"/.exec((await app.http().get('/login')).text)?.[1] ?? '/assets/index.js';
    for (const path of [
      '/.git/config',
      '/.git/HEAD',
      '/.env',
      '/package.json',
      '/node_modules/express/package.json',
      '/backend/src/main.ts',
      `${script}.map`,
      `${script}.br`,
      '/assets/..%2f..%2fpackage.json',
      '/..%2f..%2fpackage.json',
      '/assets/%2e%2e/%2e%2e/package.json',
      '/.data/secrets/jwt-secret',
      '/server-status',
      '/actuator/env',
      '/debug',
    ]) {
      const { status, text } = await app.http().get(path);
      expect([path, status]).toEqual([path, 404]);
      expect(text).not.toMatch(/"dependencies"|repositoryformatversion|sourcesContent/);
    }
  });

  it('docs, metrics and queues are for admins; health names failing parts only', async () => {
    const user = await app.user();
    for (const path of ['/api/docs', '/api/openapi.json', '/api/metrics']) {
      await app.http().get(path).expect(401);
      await app.http().head(path).expect(401);
      await user.agent.get(path).expect(403);
    }
    expect((await app.http().get('/api/admin/queues')).status).not.toBe(200);
    expect((await user.agent.get('/api/admin/queues')).status).not.toBe(200);
    expect((await app.http().get('/api/health/ready')).body).toEqual({
      status: 'ok',
      parts: { database: 'up', queue: 'up', migrations: 'up' },
    });
  });

  it('a HEAD changes nothing', async () => {
    const { agent } = await app.user();
    await agent.head('/api/auth/logout').expect(404);
    await agent.get('/api/auth/user').expect(200);
  });
});
