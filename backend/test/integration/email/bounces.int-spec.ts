import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { READING } from '../../../src/modules/sending/bounces/signed-mail.service.js';
import { rows } from '../../../src/shared/database/rows.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { BOUNCES, complaint, deliveryReport, envelopeOf, post, suppressionsOf, type ReportGroup } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending({}, { env: BOUNCES });
});
afterAll(() => app.close());

const unlimited = { set: { tier: 'pro' } };
type User = Awaited<ReturnType<TestApp['user']>>;
const statusesOf = async (user: User, id: string) =>
  Object.fromEntries(((await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as { recipientEmail: string; status: string; detail: string | null }[]).map((row) => [row.recipientEmail, row]));

/** A send to these addresses that has arrived. */
async function arrived(user: User, addresses: string[]): Promise<string> {
  const id = await send(user, await seedList(app, user, { addresses }), { subject: `For ${addresses[0]}` });
  await settled(user, id);
  return id;
}

async function report(address: string, group: Partial<ReportGroup>, others: ReportGroup[] = []): Promise<string> {
  const to = await envelopeOf(app, address);
  return post(app, to, deliveryReport(to, [...others, { recipient: address, ...group }]));
}

describe('a bounce', () => {
  it('of an unknown mailbox suppresses it everywhere for 90 days and shows in the log (B10)', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['Gone-B10@people.test', 'stays-b10@people.test']);
    expect(await report('Gone-B10@people.test', { status: '5.1.1', diagnostic: '550 5.1.1 no such user' })).toContain('counted');
    expect(await suppressionsOf(app, 'gone-b10@people.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
    const log = await statusesOf(user, id);
    expect(log['Gone-B10@people.test']).toMatchObject({ status: 'bounced', detail: expect.stringContaining('The mailbox does not exist') });
    expect(log['stays-b10@people.test']).toMatchObject({ status: 'sent', detail: null });
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 1, bounced: 1 } });
    const list = await seedList(app, user, { addresses: ['Gone-B10@people.test', 'other-b10@people.test'] });
    const next = await send(user, list, { subject: 'Next' });
    expect((await settled(user, next)).recipientCount).toBe('1');
    expect(app.mails.to('Gone-B10@people.test')).toHaveLength(1);
  });

  it('of the only recipient makes the send failed', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['only-b@people.test', 'only-b2@people.test']);
    await Promise.all(['only-b@people.test', 'only-b2@people.test'].map((address) => report(address, { status: '5.1.1' })));
    expect(await settled(user, id)).toMatchObject({ status: 'failed', counts: { bounced: 2, sent: 0 } });
  });

  it.each([
    ['delayed', { action: 'delayed', status: '4.4.1' }, 'sent', 'ignored'],
    ['expired', { status: '4.4.7', diagnostic: '451 4.4.7 timed out' }, 'bounced', 'counted'],
    ['quota', { status: '5.0.0', diagnostic: '552 over quota; unknown user? ask us' }, 'bounced', 'counted'],
    ['policy', { status: '5.7.1', diagnostic: '554 5.7.1 user unknown to our policy' }, 'bounced', 'counted'],
    ['someone', { recipient: 'someone-else@people.test' }, 'sent', 'ignored'],
  ] as const)('of the kind %s suppresses nobody', async (name, group, status, answer) => {
    const user = await app.user(unlimited);
    const address = `${name}-b10@people.test`;
    const id = await arrived(user, [address]);
    expect(await report(address, group)).toContain(answer);
    expect((await statusesOf(user, id))[address]!.status).toBe(status);
    expect(await suppressionsOf(app, address)).toEqual([]);
  });

  it('counts only for our own recipient of several (B10)', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['two-b10@people.test']);
    await report('two-b10@people.test', { status: '4.4.7' }, [{ recipient: 'stranger-b10@people.test', status: '5.1.1' }]);
    expect((await statusesOf(user, id))['two-b10@people.test']!.detail).toContain('could not be reached');
    expect(await suppressionsOf(app, 'two-b10@people.test')).toEqual([]);
    expect(await suppressionsOf(app, 'stranger-b10@people.test')).toEqual([]);
  });

  it('with a forged address changes nothing, and a true one counts once (B11)', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['forged-b11@people.test', 'other-b11@people.test']);
    const address = await envelopeOf(app, 'forged-b11@people.test');
    const forged = address.replace(/.@/, address.includes('a@') ? 'b@' : 'a@');
    const raw = deliveryReport(address, [{ recipient: 'forged-b11@people.test' }]);
    await expect(post(app, forged, raw)).rejects.toMatchObject({ responseCode: 550 });
    await expect(post(app, 'jane@elsewhere.test', raw)).rejects.toMatchObject({ responseCode: 550 });
    // Through the desk only what the message itself carries counts, and that is checked as well.
    expect(await post(app, 'postmaster@bounces.staffcast.test', deliveryReport(forged, [{ recipient: 'forged-b11@people.test' }]))).toContain('unknown');
    expect((await statusesOf(user, id))['forged-b11@people.test']!.status).toBe('sent');
    const answers = [await post(app, address, raw), ...(await Promise.all([post(app, address, raw), post(app, address.toUpperCase(), raw)]))];
    expect(answers.map((answer) => /counted|known/.exec(answer)![0]).sort()).toEqual(['counted', 'known', 'known']);
    expect(await rows(app.em(), `select 1 from bounce_reports where history_id = ?`, [id])).toHaveLength(1);
  });

  it('comes 200 times at once and is recorded 200 times (B11)', async () => {
    const user = await app.user(unlimited);
    const addresses = Array.from({ length: 200 }, (_, i) => `burst${i}-b11@people.test`);
    const id = await arrived(user, addresses);
    await Promise.all(addresses.map((address) => report(address, { status: '5.1.1' })));
    expect(await settled(user, id)).toMatchObject({ status: 'failed', counts: { bounced: 200 } });
    expect(await rows(app.em(), `select 1 from suppressions where address_norm like 'burst%-b11@people.test' and reason = 'bounced'`)).toHaveLength(200);
  });

  it('of a less certain kind suppresses at the second within 30 days', async () => {
    const user = await app.user(unlimited);
    await arrived(user, ['second-b@people.test']);
    await report('second-b@people.test', { status: '5.2.1' });
    expect(await suppressionsOf(app, 'second-b@people.test')).toEqual([]);
    await arrived(user, ['second-b@people.test']);
    await report('second-b@people.test', { status: '5.2.1' });
    expect(await suppressionsOf(app, 'second-b@people.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
  });

  it('of a full mailbox suppresses after three sends over a week without one that arrived', async () => {
    const user = await app.user(unlimited);
    const age = (days: number) => rows(app.em(), `update bounce_reports set created_at = created_at - make_interval(days => ?::int) where address_hash = sha256('full-b@people.test')`, [days]);
    for (let round = 0; round < 3; round++) {
      expect(await suppressionsOf(app, 'full-b@people.test')).toEqual([]);
      await arrived(user, ['full-b@people.test']);
      await report('full-b@people.test', { status: '5.2.2', diagnostic: '552 5.2.2 full' });
      await age(4);
    }
    expect(await suppressionsOf(app, 'full-b@people.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
    for (let round = 0; round < 3; round++) {
      await arrived(user, ['hope-b@people.test']);
      if (round !== 1) await report('hope-b@people.test', { status: '5.2.2' });
      await rows(app.em(), `update bounce_reports set created_at = created_at - interval '8 days' where address_hash = sha256('hope-b@people.test')`);
    }
    expect(await suppressionsOf(app, 'hope-b@people.test')).toEqual([]);
  });

  it('is no answering machine', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['away-b@people.test']);
    const to = await envelopeOf(app, 'away-b@people.test');
    const away = `From: away-b@people.test\r\nTo: ${to}\r\nSubject: Out of office: failed 5.1.1\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <away@people.test>\r\n\r\nI am away. 550 5.1.1 user unknown\r\n`;
    expect(await post(app, to, away)).toContain('ignored');
    expect((await statusesOf(user, id))['away-b@people.test']!.status).toBe('sent');
  });

  it('of a system mail is seen', async () => {
    await app.user({ email: 'typo@sender.test', verified: false });
    const [mail] = await app.mails.waitFor('typo@sender.test');
    expect(mail!.envelopeFrom).toMatch(/^s-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.staffcast\.test$/);
    expect(await report('typo@sender.test', { status: '5.1.1' })).toContain('counted');
    const hash = `sha256('typo@sender.test')`;
    expect(await rows(app.em(), `select status, last_error from system_mails where recipient_hash = ${hash}`)).toEqual([{ status: 'failed', last_error: expect.stringContaining('Came back') }]);
    expect(await suppressionsOf(app, 'typo@sender.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
  });
});

describe('a complaint', () => {
  it('ends this owner\'s mail whoever the report names, and everyone\'s at the second owner (B12)', async () => {
    const [first, second] = [await app.user(unlimited), await app.user(unlimited)];
    const id = await arrived(first, ['angry-b12@people.test']);
    const address = await envelopeOf(app, 'angry-b12@people.test');
    expect(await post(app, 'fbl@bounces.staffcast.test', complaint('fbl@bounces.staffcast.test', address))).toContain('counted');
    expect(await settled(first, id)).toMatchObject({ status: 'sent', counts: { complained: 1, sent: 0 } });
    expect((await statusesOf(first, id))['angry-b12@people.test']).toMatchObject({ status: 'complained', detail: 'The recipient reported it as spam' });
    expect(await suppressionsOf(app, 'angry-b12@people.test')).toEqual([{ scope: 'owner', reason: 'complained', days: null }]);
    await arrived(second, ['angry-b12@people.test']);
    await post(app, 'fbl@bounces.staffcast.test', complaint('fbl@bounces.staffcast.test', await envelopeOf(app, 'angry-b12@people.test', 2), { version: '0.1', inOriginal: true }));
    expect((await suppressionsOf(app, 'angry-b12@people.test')).map(({ scope }) => scope)).toEqual(['all', 'owner', 'owner']);
  });

  it('taken back, or of another kind, changes nothing (B12)', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['calm-b12@people.test']);
    const address = await envelopeOf(app, 'calm-b12@people.test');
    for (const type of ['not-spam', 'auth-failure', 'other']) expect(await post(app, address, complaint(address, address, { type }))).toContain('ignored');
    expect(await settled(user, id)).toMatchObject({ counts: { sent: 1 } });
    expect(await suppressionsOf(app, 'calm-b12@people.test')).toEqual([]);
  });
});

describe('POST /api/webhooks/mail', () => {
  const sign = (raw: string, { secret = BOUNCES.INBOUND_SECRET, time = Math.floor(Date.now() / 1000) } = {}) =>
    `t=${time},v1=${createHmac('sha256', secret).update(`${time}.${raw}`).digest('hex')}`;
  const call = (raw: string, signature: string, type = 'message/rfc822') =>
    app.http().post('/api/webhooks/mail').set('Content-Type', type).set('X-Signature', signature).send(raw);

  it('takes a signed report from anywhere, once', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['hook@people.test']);
    const to = await envelopeOf(app, 'hook@people.test');
    const raw = deliveryReport(to, [{ recipient: 'hook@people.test' }]);
    expect((await call(raw, sign(raw)).set('Origin', 'https://provider.test').expect(200)).body).toEqual({ result: 'counted' });
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

  /** A call whose body does not come, or stops coming after its beginning. @returns its answer; status 0 where it is cut off */
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

  it('judges length and signature before it reads', async () => {
    const answerOf = async (headers: Record<string, string | number>) => {
      const { answer, close } = stalled(headers);
      const { status } = await answer;
      close();
      return status;
    };
    expect(await answerOf({ 'X-Signature': signatureLike(), 'Content-Length': 4 * 1024 * 1024 + 1 })).toBe(413);
    for (const signature of ['', 'nonsense', `t=1,v1=${'a'.repeat(64)}`, signatureLike().slice(0, -1)]) expect(await answerOf({ 'X-Signature': signature, 'Content-Length': 1024 * 1024 })).toBe(401);
  });

  it('ends a body that grows beyond the limit without saying so', async () => {
    const { answer, close } = stalled({ 'X-Signature': signatureLike(), 'Transfer-Encoding': 'chunked' }, 'x'.repeat(4 * 1024 * 1024 + 1));
    expect((await answer).status).toBe(413);
    close();
  });

  it('reads 32 at a time, cuts off who stops sending after 30 s, and then takes others again', async () => {
    expect(READING).toEqual({ atOnce: 32, ms: 30_000 });
    READING.ms = 3_000;
    try {
      const slow = Array.from({ length: 40 }, () => stalled({ 'X-Signature': signatureLike(), 'Transfer-Encoding': 'chunked' }, 'Received:'));
      const answers = await Promise.all(slow.map(({ answer }) => answer));
      expect(answers.filter(({ status }) => status === 0)).toHaveLength(32);
      expect(answers.filter(({ status }) => status !== 0)).toEqual(Array(8).fill({ status: 503, retryAfter: '5' }));
      for (const { close } of slow) close();
      const raw = deliveryReport('x@bounces.staffcast.test', [{ recipient: 'hook3@people.test' }]);
      await call(raw, sign(raw)).expect(200);
    } finally {
      READING.ms = 30_000;
    }
  });
});
