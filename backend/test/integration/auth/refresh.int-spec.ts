import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type request from 'supertest';
import { DeviceSessions } from '../../../src/modules/auth/sessions/device-sessions.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { closeAll, startPair, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';

let app: TestApp;
let other: TestApp;

beforeAll(async () => {
  ({ app, other } = await startPair());
});
afterAll(() => closeAll(other, app));

const CLIENT = { ip: '192.0.2.1', userAgent: 'test' };
const cookie = (answer: request.Response, name: string) =>
  ([answer.headers['set-cookie'] ?? []].flat() as string[])
    .find((line) => line.startsWith(`staffcast_${name}=`))
    ?.split(';')[0] ?? '';
const whoAmI = (cookies: string) => app.http().get('/api/auth/user').set('Cookie', cookies);
/** Moves the rotation into the past, so that the window for parallel requests with the same token is over. */
const later = () => rows(app.em(), `update auth_sessions set rotated_at = rotated_at - interval '1 minute'`);
const renewals = fc.array(
  fc.record({ tabs: fc.integer({ min: 1, max: 5 }), arrives: fc.boolean(), waits: fc.boolean() }),
  { minLength: 1, maxLength: 8 },
);

describe('a refresh token whose answer was lost', () => {
  it('is exchanged for a new one at any later time, until its successor has been used', async () => {
    const { email } = await app.user();
    const first = cookie(
      await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200),
      'refresh',
    );
    const lost = cookie(await whoAmI(first).expect(200), 'refresh');
    await later();
    const second = cookie(await whoAmI(first).expect(200), 'refresh');
    expect(second).not.toBe('');
    expect(second).not.toBe(lost);
    await later();
    const third = cookie(await whoAmI(second).expect(200), 'refresh');
    await whoAmI(third).expect(200);
    await whoAmI(first).expect(401);
    await whoAmI(third).expect(401);
  });

  it('of an ended session clears no cookies, because the browser may have signed in again', async () => {
    const { email } = await app.user();
    const old = cookie(
      await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(200),
      'refresh',
    );
    await app.http().post('/api/auth/login').set('Cookie', old).send({ email, password: PASSWORD }).expect(200);
    const late = await whoAmI(old).expect(401);
    expect(late.headers['set-cookie']).toBeUndefined();
  });

  it('never signs a browser out, for any concurrent tabs on two instances, lost answers and pauses', async () => {
    const { id } = await app.user();
    const instances = [app.get(DeviceSessions), other.get(DeviceSessions)];
    await fc.assert(
      fc.asyncProperty(renewals, async (rounds) => {
        let held = (await instances[0]!.open(id, CLIENT)).refreshToken;
        for (const { tabs, arrives, waits } of rounds) {
          const answers = await Promise.all(
            Array.from({ length: tabs }, (_, n) => instances[n % 2]!.renew(held, CLIENT)),
          );
          expect(answers.every(Boolean)).toBe(true);
          const tokens = answers.flatMap((answer) => answer?.refreshToken ?? []);
          expect(tokens.length).toBeLessThanOrEqual(1);
          if (arrives && tokens[0]) held = tokens[0];
          if (waits) await later();
        }
      }),
      { numRuns: 40 },
    );
  });

  it('that was copied ends the session when its second holder uses it, on any instance', async () => {
    const { id } = await app.user();
    const instances = [app.get(DeviceSessions), other.get(DeviceSessions)];
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 2, maxLength: 6 }), async (turns) => {
        const opened = await instances[0]!.open(id, CLIENT);
        const held = { owner: opened.refreshToken, thief: opened.refreshToken };
        for (const who of [
          ...turns.map((isThief) => (isThief ? 'thief' : 'owner') as 'thief' | 'owner'),
          'owner',
          'thief',
          'owner',
          'thief',
        ] as const) {
          await later();
          const answer = await instances[who === 'thief' ? 1 : 0]!.renew(held[who], CLIENT);
          if (answer?.refreshToken) held[who] = answer.refreshToken;
        }
        expect(await rows(app.em(), `select 1 from auth_sessions where id = ?`, [opened.sessionId])).toEqual([]);
      }),
      { numRuns: 15 },
    );
  });
});
