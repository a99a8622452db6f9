import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
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
  Object.fromEntries(
    (
      (await user.agent.get(`/api/email-history/${id}/deliveries`).expect(200)).body as {
        recipientEmail: string;
        status: string;
        detail: string | null;
      }[]
    ).map((row) => [row.recipientEmail, row]),
  );

/** Sends to these addresses and waits until the mails have arrived. */
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
  it('of an unknown mailbox suppresses it everywhere for 90 days and shows in the log', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['Gone-B10@people.test', 'stays-b10@people.test']);
    expect(await report('Gone-B10@people.test', { status: '5.1.1', diagnostic: '550 5.1.1 no such user' })).toContain(
      'counted',
    );
    expect(await suppressionsOf(app, 'gone-b10@people.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
    const log = await statusesOf(user, id);
    expect(log['Gone-B10@people.test']).toMatchObject({
      status: 'bounced',
      detail: expect.stringContaining('The mailbox does not exist'),
    });
    expect(log['stays-b10@people.test']).toMatchObject({ status: 'sent', detail: null });
    expect(await settled(user, id)).toMatchObject({ status: 'sent', counts: { sent: 1, bounced: 1 } });
    const list = await seedList(app, user, { addresses: ['Gone-B10@people.test', 'other-b10@people.test'] });
    const next = await send(user, list, { subject: 'Next' });
    expect((await settled(user, next)).recipientCount).toBe('1');
    expect(app.mails.to('Gone-B10@people.test')).toHaveLength(1);
  });

  it('of the only recipient marks the send as failed', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['only-b@people.test', 'only-b2@people.test']);
    await Promise.all(
      ['only-b@people.test', 'only-b2@people.test'].map((address) => report(address, { status: '5.1.1' })),
    );
    expect(await settled(user, id)).toMatchObject({ status: 'failed', counts: { bounced: 2, sent: 0 } });
  });

  it.each([
    ['delayed', { action: 'delayed', status: '4.4.1' }, 'sent', 'ignored'],
    ['expired', { status: '4.4.7', diagnostic: '451 4.4.7 timed out' }, 'bounced', 'counted'],
    ['quota', { status: '5.0.0', diagnostic: '552 over quota; unknown user? ask us' }, 'bounced', 'counted'],
    ['policy', { status: '5.7.1', diagnostic: '554 5.7.1 user unknown to our policy' }, 'bounced', 'counted'],
    ['someone', { recipient: 'someone-else@people.test' }, 'sent', 'ignored'],
  ] as const)('of the kind %s suppresses no address', async (name, group, status, answer) => {
    const user = await app.user(unlimited);
    const address = `${name}-b10@people.test`;
    const id = await arrived(user, [address]);
    expect(await report(address, group)).toContain(answer);
    expect((await statusesOf(user, id))[address]!.status).toBe(status);
    expect(await suppressionsOf(app, address)).toEqual([]);
  });

  it('counts only for the own recipient among several', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['two-b10@people.test']);
    await report('two-b10@people.test', { status: '4.4.7' }, [
      { recipient: 'stranger-b10@people.test', status: '5.1.1' },
    ]);
    expect((await statusesOf(user, id))['two-b10@people.test']!.detail).toContain('could not be reached');
    expect(await suppressionsOf(app, 'two-b10@people.test')).toEqual([]);
    expect(await suppressionsOf(app, 'stranger-b10@people.test')).toEqual([]);
  });

  it('with a forged address has no effect, and a genuine one counts once', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['forged-b11@people.test', 'other-b11@people.test']);
    const address = await envelopeOf(app, 'forged-b11@people.test');
    const forged = address.replace(/.@/, address.includes('a@') ? 'b@' : 'a@');
    const raw = deliveryReport(address, [{ recipient: 'forged-b11@people.test' }]);
    await expect(post(app, forged, raw)).rejects.toMatchObject({ responseCode: 550 });
    await expect(post(app, 'jane@elsewhere.test', raw)).rejects.toMatchObject({ responseCode: 550 });
    // A report to the postmaster address is trusted only if it contains the message, whose signature is then checked.
    expect(
      await post(
        app,
        'postmaster@bounces.staffcast.test',
        deliveryReport(forged, [{ recipient: 'forged-b11@people.test' }]),
      ),
    ).toContain('unknown');
    expect((await statusesOf(user, id))['forged-b11@people.test']!.status).toBe('sent');
    const answers = [
      await post(app, address, raw),
      ...(await Promise.all([post(app, address, raw), post(app, address.toUpperCase(), raw)])),
    ];
    expect(answers.map((answer) => /counted|known/.exec(answer)![0]).sort()).toEqual(['counted', 'known', 'known']);
    expect(await rows(app.em(), `select 1 from bounce_reports where history_id = ?`, [id])).toHaveLength(1);
  });

  it('is recorded for each of 200 concurrent reports', async () => {
    const user = await app.user(unlimited);
    const addresses = Array.from({ length: 200 }, (_, i) => `burst${i}-b11@people.test`);
    const id = await arrived(user, addresses);
    await Promise.all(addresses.map((address) => report(address, { status: '5.1.1' })));
    expect(await settled(user, id)).toMatchObject({ status: 'failed', counts: { bounced: 200 } });
    expect(
      await rows(
        app.em(),
        `select 1 from suppressions where address_norm like 'burst%-b11@people.test' and reason = 'bounced'`,
      ),
    ).toHaveLength(200);
  });

  it('of a less certain kind suppresses with the second within 30 days', async () => {
    const user = await app.user(unlimited);
    await arrived(user, ['second-b@people.test']);
    await report('second-b@people.test', { status: '5.2.1' });
    expect(await suppressionsOf(app, 'second-b@people.test')).toEqual([]);
    await arrived(user, ['second-b@people.test']);
    await report('second-b@people.test', { status: '5.2.1' });
    expect(await suppressionsOf(app, 'second-b@people.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
  });

  it('of a full mailbox suppresses after three sends within more than a week without a delivery', async () => {
    const user = await app.user(unlimited);
    const age = (days: number) =>
      rows(
        app.em(),
        `update bounce_reports set created_at = created_at - make_interval(days => ?::int) where address_hash = sha256('full-b@people.test')`,
        [days],
      );
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
      await rows(
        app.em(),
        `update bounce_reports set created_at = created_at - interval '8 days' where address_hash = sha256('hope-b@people.test')`,
      );
    }
    expect(await suppressionsOf(app, 'hope-b@people.test')).toEqual([]);
  });

  it('is not caused by an auto-reply', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['away-b@people.test']);
    const to = await envelopeOf(app, 'away-b@people.test');
    const away = `From: away-b@people.test\r\nTo: ${to}\r\nSubject: Out of office: failed 5.1.1\r\nAuto-Submitted: auto-replied\r\nMessage-ID: <away@people.test>\r\n\r\nI am away. 550 5.1.1 user unknown\r\n`;
    expect(await post(app, to, away)).toContain('ignored');
    expect((await statusesOf(user, id))['away-b@people.test']!.status).toBe('sent');
  });

  it('of a system mail is recorded', async () => {
    await app.user({ email: 'typo@sender.test', verified: false });
    const [mail] = await app.mails.waitFor('typo@sender.test');
    expect(mail!.envelopeFrom).toMatch(/^s-[a-z2-7]{26}-[a-z2-7]{10}@bounces\.staffcast\.test$/);
    expect(await report('typo@sender.test', { status: '5.1.1' })).toContain('counted');
    const hash = `sha256('typo@sender.test')`;
    expect(await rows(app.em(), `select status, last_error from system_mails where recipient_hash = ${hash}`)).toEqual([
      { status: 'failed', last_error: expect.stringContaining('Came back') },
    ]);
    expect(await suppressionsOf(app, 'typo@sender.test')).toEqual([{ scope: 'all', reason: 'bounced', days: 90 }]);
  });
});

describe('a complaint', () => {
  it("ends this owner's mail to the recipient, and everyone's after a second owner", async () => {
    const [first, second] = [await app.user(unlimited), await app.user(unlimited)];
    const id = await arrived(first, ['angry-b12@people.test']);
    const address = await envelopeOf(app, 'angry-b12@people.test');
    expect(await post(app, 'fbl@bounces.staffcast.test', complaint('fbl@bounces.staffcast.test', address))).toContain(
      'counted',
    );
    expect(await settled(first, id)).toMatchObject({ status: 'sent', counts: { complained: 1, sent: 0 } });
    expect((await statusesOf(first, id))['angry-b12@people.test']).toMatchObject({
      status: 'complained',
      detail: 'The recipient reported it as spam',
    });
    expect(await suppressionsOf(app, 'angry-b12@people.test')).toEqual([
      { scope: 'owner', reason: 'complained', days: null },
    ]);
    await arrived(second, ['angry-b12@people.test']);
    await post(
      app,
      'fbl@bounces.staffcast.test',
      complaint('fbl@bounces.staffcast.test', await envelopeOf(app, 'angry-b12@people.test', 2), {
        version: '0.1',
        inOriginal: true,
      }),
    );
    expect((await suppressionsOf(app, 'angry-b12@people.test')).map(({ scope }) => scope)).toEqual([
      'all',
      'owner',
      'owner',
    ]);
  });

  it('of type not-spam or another type has no effect', async () => {
    const user = await app.user(unlimited);
    const id = await arrived(user, ['calm-b12@people.test']);
    const address = await envelopeOf(app, 'calm-b12@people.test');
    for (const type of ['not-spam', 'auth-failure', 'other'])
      expect(await post(app, address, complaint(address, address, { type }))).toContain('ignored');
    expect(await settled(user, id)).toMatchObject({ counts: { sent: 1 } });
    expect(await suppressionsOf(app, 'calm-b12@people.test')).toEqual([]);
  });
});
