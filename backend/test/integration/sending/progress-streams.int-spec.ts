import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ProgressPoller } from '../../../src/modules/sending/report/progress-poller.service.js';
import { EventStreamLimits } from '../../../src/shared/http/responses/event-streams.service.js';
import type { TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { seedList, send, startSending } from './support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let limits: EventStreamLimits;
beforeAll(async () => {
  app = await startSending();
  limits = app.get(EventStreamLimits);
  Object.assign(limits, { heartbeatMs: 100 });
});
afterEach(() => void Object.assign(limits, { maxAgeMs: 60_000 }));
afterAll(() => app.close());

/** A send that never ends, because it is paused at once. */
async function pausedSend(user: SignedUp): Promise<string> {
  const id = await send(user, await seedList(app, user, { count: 500 }));
  await user.agent.post(`/api/email-history/${id}/pause`).expect(200);
  return id;
}

interface Followed {
  status: number;
  code?: string;
  text: () => string;
  /** Resolves when the server has ended the stream. */
  ended: Promise<void>;
  leave: () => void;
}

async function follow(token: string, id: string): Promise<Followed> {
  const gone = new AbortController();
  const answer = await fetch(`${app.url}/api/email-history/${id}/progress`, {
    headers: { Authorization: `Bearer ${token}`, Accept: 'text/event-stream' },
    signal: gone.signal,
  });
  if (answer.status !== 200)
    return {
      status: answer.status,
      code: ((await answer.json()) as { code: string }).code,
      text: () => '',
      ended: Promise.resolve(),
      leave: () => undefined,
    };
  let text = '';
  const ended = (async () => {
    for await (const part of answer.body!) text += Buffer.from(part as Uint8Array).toString();
  })().catch(() => undefined);
  return { status: answer.status, text: () => text, ended, leave: () => gone.abort() };
}

const tokenOf = async (user: SignedUp) =>
  (await app.http().post('/api/auth/token').send({ email: user.email, password: PASSWORD }).expect(200)).body
    .accessToken as string;
async function setUp() {
  const user = await app.user({ set: { tier: 'pro' } });
  return { user, token: await tokenOf(user), id: await pausedSend(user) };
}

describe('progress streams', () => {
  it('are limited to five per account; another is refused until one ends', async () => {
    const { token, id } = await setUp();
    const streams = await Promise.all(Array.from({ length: 8 }, () => follow(token, id)));
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 200, 429, 429, 429]);
    expect(streams.find(({ status }) => status === 429)!.code).toBe('too_many_streams');
    const open = streams.filter(({ status }) => status === 200);
    open[0]!.leave();
    let next = await follow(token, id);
    await until(async () => next.status !== 429 || (next = await follow(token, id)).status !== 429);
    for (const stream of [...open, next]) stream.leave();
  });

  it('of one send share a poller, which ends with the last stream', async () => {
    const { token, id } = await setUp();
    const poller = app.get(ProgressPoller);
    await until(() => poller.size === 0);
    const streams = await Promise.all(Array.from({ length: 5 }, () => follow(token, id)));
    await until(() => streams.every(({ text }) => text().includes('"stopped":"paused"')));
    expect(poller.size).toBe(1);
    for (const stream of streams) stream.leave();
    await until(() => poller.size === 0);
  });

  it.each([
    [
      'signing out',
      (user: SignedUp, token: string) =>
        app.http().post('/api/auth/logout').set('Authorization', `Bearer ${token}`).expect(200),
    ],
    [
      'a new password',
      (user: SignedUp) =>
        user.agent
          .post('/api/auth/change-password')
          .send({ currentPassword: PASSWORD, newPassword: 'another battery horse' })
          .expect(200),
    ],
    [
      'a suspension',
      async (user: SignedUp) =>
        (await app.user({ admin: true })).agent
          .patch(`/api/admin/users/${user.id}`)
          .send({ suspended: true })
          .expect(200),
    ],
  ])('end with their session: %s', async (_what, act) => {
    const { user, token, id } = await setUp();
    const stream = await follow(token, id);
    expect(stream.status).toBe(200);
    await until(() => stream.text().includes('still here'));
    await act(user, token);
    await stream.ended;
    expect((await follow(token, id)).status).toBe(401);
  });

  it('end after their maximum age, also for a paused send', async () => {
    const { token, id } = await setUp();
    Object.assign(limits, { maxAgeMs: 300 });
    const stream = await follow(token, id);
    await stream.ended;
    expect(stream.text()).toContain('"status":"pending"');
  });
});
