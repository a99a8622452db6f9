import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { REPORT_UPLOAD_LIMITS } from '../../../src/modules/bounces/signed-mail.service.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { BOUNCES, deliveryReport, envelopeOf } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending({}, { env: BOUNCES });
});
afterAll(() => app.close());

const unlimited = { set: { tier: 'pro' } };
type User = Awaited<ReturnType<TestApp['user']>>;

/** Sends to these addresses and waits until the mails have arrived. */
async function arrived(user: User, addresses: string[]): Promise<string> {
  const id = await send(user, await seedList(app, user, { addresses }), { subject: `For ${addresses[0]}` });
  await settled(user, id);
  return id;
}

describe('POST /api/webhooks/mail', () => {
  const sign = (raw: string, { secret = BOUNCES.INBOUND_SECRET, time = Math.floor(Date.now() / 1000) } = {}) =>
    `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')}`;
  const call = (raw: string, signature: string, type = 'message/rfc822') =>
    app.http().post('/api/webhooks/mail').set('Content-Type', type).set('X-Signature', signature).send(raw);

  it('accepts a signed report from anywhere, once', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['hook@people.test']);
    const to = await envelopeOf(app, 'hook@people.test');
    const raw = deliveryReport(to, [{ recipient: 'hook@people.test' }]);
    expect((await call(raw, sign(raw)).set('Origin', 'https://provider.test').expect(200)).body).toEqual({
      result: 'counted',
    });
    expect((await call(raw, sign(raw), 'application/octet-stream').expect(200)).body).toEqual({ result: 'known' });
    expect((await settled(user, id)).status).toBe('failed');
  });

  it('refuses a wrong, an old and a missing signature', async () => {
    const raw = deliveryReport('x@bounces.staffcast.test', [{ recipient: 'hook2@people.test' }]);
    await call(raw, sign(raw, { secret: 'other' })).expect(401);
    await call(`${raw} `, sign(raw)).expect(401);
    await call(raw, sign(raw, { time: Math.floor(Date.now() / 1000) - 3600 })).expect(401);
    await call(raw, 'nonsense').expect(401);
    await app.http().post('/api/webhooks/mail').expect(401);
  });

  /**
   * Starts a request whose body stalls, at once or after its beginning.
   * @returns the answer; status 0 if the connection is closed
   */
  function stalled(headers: Record<string, string | number>, beginning?: string) {
    const req = httpRequest(`${app.url}/api/webhooks/mail`, { method: 'POST', agent: false, headers });
    const answer = new Promise<{ status: number; retryAfter?: string }>((resolve) => {
      req.on('response', (res) => {
        res.resume();
        resolve({ status: res.statusCode!, retryAfter: res.headers['retry-after'] });
      });
      req.on('error', () => resolve({ status: 0 }));
    });
    if (beginning === undefined) req.flushHeaders();
    else req.write(beginning);
    return { answer, close: () => req.destroy() };
  }
  const signatureLike = () => `t=${Math.floor(Date.now() / 1000)},v1=${'a'.repeat(64)}`;

  it('checks length and signature before reading the body', async () => {
    const answerOf = async (headers: Record<string, string | number>) => {
      const { answer, close } = stalled(headers);
      const { status } = await answer;
      close();
      return status;
    };
    expect(await answerOf({ 'X-Signature': signatureLike(), 'Content-Length': 4 * 1024 * 1024 + 1 })).toBe(413);
    for (const signature of ['', 'nonsense', `t=1,v1=${'a'.repeat(64)}`, signatureLike().slice(0, -1)])
      expect(await answerOf({ 'X-Signature': signature, 'Content-Length': 1024 * 1024 })).toBe(401);
  });

  it('aborts a chunked body beyond the limit', async () => {
    const { answer, close } = stalled(
      { 'X-Signature': signatureLike(), 'Transfer-Encoding': 'chunked' },
      'x'.repeat(4 * 1024 * 1024 + 1),
    );
    expect((await answer).status).toBe(413);
    close();
  });

  it('reads 32 at a time, disconnects stalled senders after 30 s, and then accepts others', async () => {
    expect(REPORT_UPLOAD_LIMITS).toEqual({ concurrent: 32, ms: 30_000 });
    REPORT_UPLOAD_LIMITS.ms = 3_000;
    try {
      const slow = Array.from({ length: 40 }, () =>
        stalled({ 'X-Signature': signatureLike(), 'Transfer-Encoding': 'chunked' }, 'Received:'),
      );
      const answers = await Promise.all(slow.map(({ answer }) => answer));
      expect(answers.filter(({ status }) => status === 0)).toHaveLength(32);
      expect(answers.filter(({ status }) => status !== 0)).toEqual(Array(8).fill({ status: 503, retryAfter: '5' }));
      for (const { close } of slow) close();
      const raw = deliveryReport('x@bounces.staffcast.test', [{ recipient: 'hook3@people.test' }]);
      await call(raw, sign(raw)).expect(200);
    } finally {
      REPORT_UPLOAD_LIMITS.ms = 30_000;
    }
  });
});
