import { describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { sendsReport } from '../../../src/cli/sends-report.js';
import { WaitingSends } from '../../../src/modules/schedules/index.js';
import { OpenSends } from '../../../src/modules/sending/index.js';
import type { ProviderConfigDto } from '../../../src/modules/mail-accounts/provider-config.dto.js';
import { MailProviders } from '../../../src/modules/mail-accounts/mail-providers.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled } from '../sending/support.js';
import { TOKEN, sink, app } from './throttling-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

const unlimited = { set: { tier: 'pro', custom_daily_limit: '100000' } };
const named = (prefix: string, count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);
const stored = (part: string) => sink.stored.filter(({ address }) => address.includes(part));

async function configure(config: ProviderConfigDto): Promise<void> {
  const providers = app.get(MailProviders);
  const { id, config: before } = (await providers.list())[0]!;
  await providers.change(id, { config: { host: before.host, port: before.port && Number(before.port), ...config } });
  await rows(app.em(), `delete from provider_rates`);
  // Changed limits take effect within two seconds.
  await pause(2_100);
}

/** Rate in messages a second between the first and the last of these mails. */
function rateOf(part: string): number {
  const times = stored(part)
    .map(({ at }) => at)
    .sort((a, b) => a - b);
  return ((times.length - 1) * 1000) / (times.at(-1)! - times[0]!);
}

describe('the backlog of a mailbox provider', () => {
  it("is sent at the provider's rate, without writing its rows meanwhile and without delaying others", async () => {
    await configure({ domainMessagesPerSecond: 50 });
    const user = await app.user(unlimited);
    const others = Array.from({ length: 400 }, (_, i) => `other${i}@d${i}.test`);
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('wait', 600, 'gmail.com'), ...others] }),
    );
    await until(() => stored('other').length === 400);
    expect(stored('wait').length).toBeLessThan(400);
    const versions = () =>
      rows<{ position: number; version: string }>(
        app.em(),
        `select position, ctid::text as version from email_delivery_logs where history_id = ? and status = 'queued' order by position desc limit 100`,
        [id],
      );
    const before = await versions();
    // The backlog may be written shortly after the last unlimited message left.
    const waiting = async () =>
      (
        await rows<{ n: number }>(
          app.em(),
          `select waiting as n from delivery_backlogs where history_id = ? and provider = 'google'`,
          [id],
        )
      )[0]?.n;
    await until(async () => (await waiting()) !== undefined);
    expect(await waiting()).toBeGreaterThan(200);
    const gone = stored('wait').length;
    await until(() => stored('wait').length > gone + 50);
    const after = new Map((await versions()).map(({ position, version }) => [position, version]));
    const still = before.filter(({ position }) => after.has(position));
    expect(still.length).toBeGreaterThan(50);
    expect(still.filter(({ position, version }) => after.get(position) !== version)).toEqual([]);
    expect(
      await rows(
        app.em(),
        `select distinct attempt, deferrals, next_attempt_at from email_delivery_logs where history_id = ? and status = 'queued'`,
        [id],
      ),
    ).toEqual([{ attempt: 0, deferrals: 0, next_attempt_at: null }]);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 1_000, failed: 0 });
    // At most the limited rate; a busy machine may lose a send time.
    expect(rateOf('wait')).toBeGreaterThan(50 * 0.6);
    expect(rateOf('wait')).toBeLessThan(50 * 1.1);
    expect(
      await rows(
        app.em(),
        `select 1 from delivery_backlogs union all select 1 from delivery_backlog_parts union all select 1 from delivery_ranges`,
      ),
    ).toEqual([]);
    expect(sink.extraCopies).toBe(0);
  });

  it('is shown by the operations page, npm run admin -- sends and the metrics, with its expected end', async () => {
    await configure({ domainMessagesPerSecond: 2 });
    const [user, admin] = [await app.user(unlimited), await app.user({ admin: true })];
    const id = await send(user, await seedList(app, user, { addresses: named('seen', 100, 'outlook.com') }));
    const rates = async () =>
      (await admin.agent.get('/api/admin/provider-rates').expect(200)).body as Record<string, unknown>[];
    await until(async () =>
      (await rates()).some(({ provider, waiting }) => provider === 'microsoft' && Number(waiting) > 50),
    );
    const found = (await rates()).find(({ provider }) => provider === 'microsoft')!;
    expect(found).toMatchObject({ account: 'smtp', perSecond: 2, refusedLastHour: 0, pausedUntil: null });
    expect((new Date(found.expectedEnd as string).getTime() - Date.now()) / 1000).toBeCloseTo(
      Number(found.waiting) / 2,
      -1,
    );
    const report = await sendsReport(new OpenSends(app.em()), new WaitingSends(app.em()));
    expect(report).toMatch(
      /microsoft by smtp: .* at most 2 a second, 0 refused in the last hour, \d+ waiting, through by \d{4}-/,
    );
    expect(report).toMatch(/\d+ of them waiting for the rate of microsoft/);
    const { text } = await app.http().get('/api/metrics').set('Authorization', `Bearer ${TOKEN}`).expect(200);
    expect(Number(/^staffcast_deliveries_backlog\{provider="microsoft"\} (\d+)$/m.exec(text)![1])).toBeGreaterThan(30);
    expect(
      Number(/^staffcast_deliveries_backlog_expected_seconds\{provider="microsoft"\} ([\d.]+)$/m.exec(text)![1]),
    ).toBeGreaterThan(15);
    expect(text).toMatch(/^staffcast_deliveries_backlog_unserved_seconds\{provider="microsoft"\} /m);
    // A paused backlog uses no send times, a resumed one continues, and a cancelled one has no waiting messages.
    await user.agent.post(`/api/email-history/${id}/pause`).expect(200);
    await untilAccountSettled(app, user);
    const stopped = stored('seen').length;
    // Longer than the dispatcher takes to look at every backlog again.
    await pause(1_500);
    expect(stored('seen').length).toBe(stopped);
    await user.agent.post(`/api/email-history/${id}/resume`).expect(200);
    await until(() => stored('seen').length > stopped);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    await settled(user, id);
    await until(
      async () => (await rows(app.em(), `select 1 from delivery_backlogs where history_id = ?`, [id])).length === 0,
    );
  });

  it('is continued by another worker after its lease expired', async () => {
    await configure({ domainMessagesPerSecond: 60 });
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: named('leased', 120, 'yahoo.com') }));
    await until(
      async () => (await rows(app.em(), `select 1 from delivery_backlogs where history_id = ?`, [id])).length > 0,
    );
    await rows(
      app.em(),
      `update delivery_backlogs set leased_until = now() + interval '1 second' where history_id = ?`,
      [id],
    );
    expect((await settled(user, id)).counts).toMatchObject({ sent: 120 });
    expect(stored('leased')).toHaveLength(120);
  });
});

describe('a provider that asks for a lower rate', () => {
  it('gets a lower, learned rate at once, while others get full speed, and all mail in the end', async () => {
    await configure({});
    sink.modes = { perSecond: { 'gmail.com': 100 } };
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('less', 500, 'gmail.com'), ...named('full', 300, 'e.test')] }),
    );
    await until(() => stored('full').length === 300);
    expect(stored('less').length).toBeLessThan(500);
    const cut = await rows<{ provider: string; base: number; answer: string }>(
      app.em(),
      `select provider, base, last_answer as answer from provider_rates where cut_at is not null`,
    );
    expect(cut).toEqual([{ provider: 'google', base: expect.any(Number), answer: expect.stringContaining('4.7.28') }]);
    expect(cut[0]!.base).toBeLessThan(100);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 800, failed: 0 });
    const { accepted, refused } = sink.byProvider.get('gmail.com')!;
    process.stderr.write(
      `100/s allowed: ${rateOf('less').toFixed(1)}/s from the first message on, ${accepted} taken, ${refused} refused\n`,
    );
    expect(accepted).toBe(500);
    expect(refused / (accepted + refused)).toBeLessThan(0.15);
    expect(sink.extraCopies).toBe(0);
    sink.modes = {};
  });

  it('stops the rest of a batch with its first reply (400 recipients, all answered 4.7.28)', async () => {
    await configure({});
    sink.modes = { perSecond: { 'f.test': 0 } };
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: named('stop', 400, 'f.test') }));
    await until(() => sink.attempts.some(({ address }) => address.includes('stop')));
    await until(
      async () =>
        (await rows(app.em(), `select 1 from provider_rates where cut_at is not null`)).length > 0 &&
        (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ? and status = 'sending'`, [id]))
          .length === 0,
    );
    expect(sink.attempts.filter(({ address }) => address.includes('stop')).length).toBeLessThan(60);
    sink.modes = {};
    await rows(app.em(), `delete from provider_rates`);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    await settled(user, id);
  });
});

describe('a domain with a stalled server', () => {
  it('delays no other recipient of its send, however many of its own come first', async () => {
    await configure({});
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, {
        addresses: [...named('hang-', 400, 'a-hanging.test'), ...named('after', 100, 'b.test')],
      }),
    );
    const start = Date.now();
    await until(() => stored('after').length === 100);
    process.stderr.write(`100 beside 400 of a hanging domain: ${Date.now() - start} ms\n`);
    expect(Date.now() - start).toBeLessThan(10_000);
    expect(stored('hang-').length).toBeLessThanOrEqual(20);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    sink.hanging = false;
    sink.cutAll();
    await settled(user, id);
  });
});

describe("an account's rate", () => {
  it('applies from the first second of the next send', async () => {
    const providers = app.get(MailProviders);
    const { id: account, config } = (await providers.list())[0]!;
    await configure({});
    const user = await app.user(unlimited);
    await settled(
      user,
      await send(
        user,
        await seedList(app, user, { addresses: Array.from({ length: 100 }, (_, i) => `quick${i}@q${i % 20}.test`) }),
      ),
    );
    await providers.change(account, {
      config: { ...config, port: config.port && Number(config.port), messagesPerSecond: 8 },
    });
    const id = await send(
      user,
      await seedList(app, user, { addresses: Array.from({ length: 48 }, (_, i) => `paced${i}@q${i % 20}.test`) }),
    );
    await settled(user, id);
    const times = stored('paced')
      .map(({ at }) => at)
      .sort((a, b) => a - b);
    for (const seconds of [1, 2, 3, 5])
      expect(times.filter((at) => at - times[0]! < seconds * 1000).length).toBeLessThanOrEqual(8 * seconds + 4);
    expect((times.at(-1)! - times[0]!) / 1000).toBeGreaterThan((47 / 8) * 0.95);
    expect((times.at(-1)! - times[0]!) / 1000).toBeLessThan((47 / 8) * 2);
    await configure({});
  });
});
