import { describe, expect, it, jest } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { sendsReport } from '../../../src/cli/sends-report.js';
import { WaitingSends } from '../../../src/modules/schedules/index.js';
import { OpenSends } from '../../../src/modules/sending/index.js';
import { LimitsInForce } from '../../../src/modules/delivery/throttling/limits-in-force.js';
import { ProviderThrottles } from '../../../src/modules/delivery/throttling/provider-throttles.service.js';
import type { ProviderConfigDto } from '../../../src/modules/mail-accounts/provider-config.dto.js';
import { MailProviders } from '../../../src/modules/mail-accounts/mail-providers.service.js';
import { type LimiterState, ProviderRateLimiter } from '../../../src/modules/mail-accounts/index.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled } from '../sending/support.js';
import { expectPaced, grantedSlots } from './granted-slots.js';
import { TOKEN, sink, app } from './throttling-support.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

/** Connections of the transport. Each may have one message in flight. */
const CONNECTIONS = 10;
const unlimited = { set: { tier: 'pro', custom_daily_limit: '100000' } };
const named = (prefix: string, count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);
const stored = (part: string) => sink.stored.filter(({ address }) => address.includes(part));

async function configure(config: ProviderConfigDto): Promise<void> {
  const providers = app.get(MailProviders);
  const { id, config: before } = (await providers.list())[0]!;
  await providers.change(id, { config: { host: before.host, port: before.port && Number(before.port), ...config } });
  await rows(app.em(), `delete from provider_rates`);
  // Replaces the cached limits, because the worker would otherwise notice the change only within a minute.
  Object.assign(app.get(ProviderThrottles), { active: new LimitsInForce() });
  // eslint-disable-next-line staffcast/no-bare-wait -- changed limits take effect within two seconds
  await pause(2_100);
}

describe('the backlog of a mailbox provider', () => {
  it("is sent at the provider's rate, without writing its rows meanwhile and without delaying others", async () => {
    await configure({ domainMessagesPerSecond: 10 });
    const granted = grantedSlots(app, 'google');
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
    // The backlog may be written shortly after the last message left that no limit held back.
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
        `select distinct attempt, deferrals, next_attempt_at from (
           select * from email_delivery_logs where history_id = ? and status = 'queued' order by position desc limit 100) d`,
        [id],
      ),
    ).toEqual([{ attempt: 0, deferrals: 0, next_attempt_at: null }]);
    expectPaced(stored('wait'), granted, { perSecond: 10, batch: 5 });
    granted.forget();
    await configure({ domainMessagesPerSecond: 200 });
    expect((await settled(user, id)).counts).toMatchObject({ sent: 1_000, failed: 0 });
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
    const id = await send(user, await seedList(app, user, { addresses: named('seen', 500, 'outlook.com') }));
    const rates = async () =>
      (await admin.agent.get('/api/admin/provider-rates').expect(200)).body as Record<string, unknown>[];
    await until(async () =>
      (await rates()).some(({ provider, waiting }) => provider === 'microsoft' && Number(waiting) > 50),
    );
    const asked = Date.now();
    const found = (await rates()).find(({ provider }) => provider === 'microsoft')!;
    expect(found).toMatchObject({ account: 'smtp', perSecond: 2, refusedLastHour: 0, pausedUntil: null });
    // `expectedEnd` is the time of the response plus the time that the waiting messages take at 2 per second.
    const answered = new Date(found.expectedEnd as string).getTime() - (Number(found.waiting) / 2) * 1000;
    expect(answered).toBeGreaterThan(asked - 1_000);
    expect(answered).toBeLessThan(Date.now() + 1_000);
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
    // eslint-disable-next-line staffcast/no-bare-wait -- nothing may come, and the dispatcher looks at every backlog again within a second
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
    sink.modes = { perSecond: { 'gmail.com': 30 } };
    const cuts = jest.spyOn(app.get(ProviderRateLimiter), 'cut');
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('less', 300, 'gmail.com'), ...named('full', 300, 'e.test')] }),
    );
    await until(() => stored('full').length === 300);
    expect(stored('less').length).toBeLessThan(300);
    const cut = await rows<{ provider: string; base: number; answer: string }>(
      app.em(),
      `select provider, base, last_answer as answer from provider_rates where cut_at is not null`,
    );
    expect(cut).toEqual([{ provider: 'google', base: expect.any(Number), answer: expect.stringContaining('4.7.28') }]);
    expect(cut[0]!.base).toBeLessThan(30);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 600, failed: 0 });
    const { accepted, refused } = sink.byProvider.get('gmail.com')!;
    expect(accepted).toBe(300);
    // After each cut, only messages that are already on a connection are still refused.
    const states = await Promise.all(cuts.mock.results.map(({ value }) => value as Promise<LimiterState>));
    expect(refused).toBeLessThanOrEqual(CONNECTIONS * new Set(states.map(({ cutAt }) => cutAt)).size);
    cuts.mockRestore();
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
    await until(() => stored('after').length === 100);
    // By then, none of the hanging messages was given up.
    expect(
      await rows(
        app.em(),
        `select 1 from email_delivery_logs where history_id = ? and recipient_email like 'hang-%' and (status not in ('queued', 'sending') or attempt > 1)`,
        [id],
      ),
    ).toEqual([]);
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
    const granted = grantedSlots(app, '*');
    const id = await send(
      user,
      await seedList(app, user, { addresses: Array.from({ length: 48 }, (_, i) => `paced${i}@q${i % 20}.test`) }),
    );
    await settled(user, id);
    granted.forget();
    expect(stored('paced')).toHaveLength(48);
    expectPaced(stored('paced'), granted, { perSecond: 8, batch: 4 });
    await configure({});
  });
});
