import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import request from 'supertest';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { sessionOf } from './support.js';

let app: TestApp;
let secure: TestApp;

beforeAll(async () => {
  app = await startApp();
  secure = await startApp({ beside: app, env: { APP_URL: 'https://staffcast.test' } });
});
afterAll(async () => {
  await secure.close();
  await app.close();
});

/** Sends raw bytes that no HTTP client would send. @returns the answer */
function raw(bytes: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(Number(port), hostname, () => socket.write(bytes));
    socket.setTimeout(10_000, () => socket.destroy(new Error('no answer')));
    socket.on('data', (data) => {
      answer += data.toString('latin1');
      if (answer.includes('\r\n\r\n')) socket.destroy();
    });
    socket.on('close', () => resolve(answer)).on('error', reject);
  });
}

describe('attacks from other sites', () => {
  const changes = [
    ['patch', '/api/auth/user/role', { role: 'bench-sales' }],
    ['patch', '/api/auth/user/settings', { agencyName: 'x' }],
    ['post', '/api/auth/change-password', { currentPassword: PASSWORD, newPassword: 'evil password' }],
    ['post', '/api/auth/delete-account', { password: PASSWORD }],
    ['delete', '/api/auth/sessions', {}],
    ['put', '/api/auth/user/avatar', {}],
    ['post', '/api/auth/logout', {}],
    ['post', '/api/auth/forgot-password', { email: 'a@x.test' }],
    ['post', '/api/auth/reset-password', { token: 'x', password: 'evil password' }],
  ] as const;

  it.each(changes)('%s %s from another origin has no effect', async (method, path, body) => {
    const { email, agent } = await app.user();
    const cookie = sessionOf(await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200));
    const call = () => app.http()[method](path).set('Cookie', cookie);
    for (const headers of [
      { Origin: 'https://evil.test' },
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'null' },
      { 'Sec-Fetch-Site': 'same-site' },
    ]) {
      await call()
        .set(headers)
        .send(body)
        .expect(403)
        .expect(({ body: answer }) => expect(answer.code).toBe('cross_site'));
    }
    await call().type('text/plain').send(JSON.stringify(body)).expect(415);
    await agent
      .get('/api/auth/user')
      .expect(200)
      .expect(({ body: user }) => expect(user).toMatchObject({ role: 'recruiter', agencyName: null }));
    await app.http().get('/api/auth/user').set('Cookie', cookie).expect(200);
  });

  it('no other origin can read answers', async () => {
    const { agent } = await app.user();
    for (const Origin of ['https://evil.test', 'null', 'http://staffcast.test.evil.test', 'http://xstaffcast.test']) {
      for (const answer of [
        await agent.get('/api/auth/user').set({ Origin }),
        await app.http().options('/api/auth/user').set({ Origin, 'Access-Control-Request-Method': 'PATCH' }),
      ]) {
        expect(answer.headers['access-control-allow-origin']).toBeUndefined();
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
      }
    }
  });
});

describe('attacks on pages and bodies', () => {
  it.each([
    '/verify-email?token=x&redirect=//evil.test',
    '/login?next=javascript:alert(1)',
    '/login?next=//evil.test',
    '/subscribe/confirmed?redirect=https://evil.test',
    '//evil.test/..',
  ])('%s redirects to no other site', async (path) => {
    const answer = await request(app.url).get(path).redirects(0);
    expect(answer.headers.location ?? '/').toMatch(/^\/(?!\/)/);
  });

  it('every page and answer has the security headers', async () => {
    for (const path of ['/', '/login', '/reset-password?token=x', '/no-such-page', '/api/auth/user']) {
      const { headers } = await request(secure.url).get(path);
      const policy = headers['content-security-policy']!;
      expect(policy).toContain("script-src 'self'");
      expect(policy).not.toMatch(/script-src[^;]*unsafe/);
      expect(policy).toContain("frame-ancestors 'none'");
      expect(headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
        'cross-origin-opener-policy': 'same-origin',
        'strict-transport-security': expect.stringContaining('max-age=31536000'),
      });
      expect(headers['x-powered-by']).toBeUndefined();
    }
  });

  it('bodies that are too large, too deep or not UTF-8 are refused before processing', async () => {
    const post = () => app.http().post('/api/auth/login').set('Content-Type', 'application/json');
    const deep = '{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000);
    for (const [answer, status] of [
      [await post().send('x'.repeat(2 * 1024 * 1024)), 413],
      [await post().send(deep), 400],
      [
        await post()
          .set('Content-Encoding', 'gzip')
          .serialize((body) => body as never)
          .send(gzipSync(Buffer.alloc(50 * 1024 * 1024)) as never),
        413,
      ],
      [
        await post()
          .serialize((body) => body as never)
          .send(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]) as never),
        400,
      ],
      [await post().send('{"email":"a@x.test","email":{"$ne":null},"password":"x"}'), 400],
      [await post().send('{"email":'), 400],
    ] as const) {
      expect(answer.status).toBe(status);
      expect(answer.body).toMatchObject({ statusCode: status, code: expect.any(String), message: expect.any(String) });
      expect(JSON.stringify(answer.body)).not.toMatch(/at .*\.(js|ts):/);
    }
    expect(
      await raw(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 104857600\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 413 /);
    expect(await raw('TRACE /api/auth/user HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 405 /,
    );
    expect(
      await raw(
        'POST /api/auth/login HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\n\r\n',
      ),
    ).toMatch(/^HTTP\/1\.1 400 /);
  });
});
