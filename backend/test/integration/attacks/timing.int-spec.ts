import type { Argon2Parameters } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { HashThread } from '../../../src/modules/auth/sign-in/hash-thread.js';
import { MIN_ANSWER_MS } from '../../../src/modules/auth/passwords/password-reset.service.js';
import { RateLimits } from '../../../src/shared/http/rate-limits/rate-limits.service.js';
import { mintToken } from '../../../src/shared/tokens/tokens.js';
import { startApp, type TestApp } from '../../kit/app.js';

let app: TestApp;

beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());
afterEach(() => void jest.restoreAllMocks());

const UNKNOWN = 'nobody@attack.test';
/** The parameters that determine how long a hash takes. */
const costOf = ({ message, nonce, memory, passes, parallelism, tagLength }: Argon2Parameters) => ({
  message,
  nonce: (nonce as Buffer).byteLength,
  memory,
  passes,
  parallelism,
  tagLength,
});

// `npm run bench -- --only addresses` measures whether the times themselves differ.
describe('response times reveal no account, because the same work is done', () => {
  it('for a failed sign-in', async () => {
    const { email } = await app.user();
    const hashes = jest.spyOn(HashThread.prototype, 'derive');
    const limits = ['consume', 'consumeByClient'] as const;
    const consumed = limits.map((name) => jest.spyOn(app.get(RateLimits), name));
    const work = async (address: string) => {
      jest.clearAllMocks();
      const { body } = await app
        .http()
        .post('/api/auth/login')
        .send({ email: address, password: 'not this one' })
        .expect(401);
      return {
        body: body as object,
        hashes: hashes.mock.calls.map(([parameters]) => costOf(parameters)),
        consumed: consumed.map(({ mock }) => mock.calls.map(([limit]) => limit)),
      };
    };
    const unknown = await work(UNKNOWN);
    expect(unknown.hashes).toHaveLength(1);
    expect(await work(email)).toEqual(unknown);
  });

  it('for a forgotten password', async () => {
    const { email } = await app.user();
    const bodies = new Set<string>();
    for (const address of [UNKNOWN, email]) {
      // This timer starts before the product's own delay and is shorter, so it must end before the answer.
      let isOver = false;
      const timer = setTimeout(() => (isOver = true), MIN_ANSWER_MS - 1);
      const { body } = await app.http().post('/api/auth/forgot-password').send({ email: address }).expect(200);
      expect([address, isOver]).toEqual([address, true]);
      clearTimeout(timer);
      bodies.add(JSON.stringify(body));
    }
    expect(bodies.size).toBe(1);
  });

  it('for an unknown, malformed or overlong unsubscribe link', async () => {
    const bodies = new Set<string>();
    for (const token of [mintToken(), 'no-token', 'x'.repeat(10_000)])
      bodies.add(JSON.stringify((await app.http().get(`/api/unsubscribe/${token}`).expect(404)).body));
    expect([...bodies]).toEqual([
      JSON.stringify({
        statusCode: 404,
        code: 'not_found',
        message: 'Invalid unsubscribe link',
        error: 'Invalid unsubscribe link',
      }),
    ]);
  });
});
