import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultMailAccount } from '../../../src/modules/mail-accounts/default-mail-account.service.js';
import { MailProviders } from '../../../src/modules/mail-accounts/mail-providers.service.js';
import { ProviderAccounts } from '../../../src/modules/mail-accounts/provider-accounts.service.js';
import { ProviderThrottles } from '../../../src/modules/delivery/throttling/provider-throttles.service.js';
import type { Settings } from '../../../src/shared/config/settings.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { awayFromTheHour } from '../../kit/hours.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import type { ProviderConfigDto } from '../../../src/modules/mail-accounts/provider-config.dto.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { expectPaced, grantedSlots } from './granted-slots.js';

const [main, backup] = [new SmtpSink(), new SmtpSink()];
const unlimited = { set: { tier: 'pro' } };
const named = (prefix: string, count: number, domain: string): string[] =>
  Array.from({ length: count }, (_, i) => `${prefix}${i}@${domain}`);
const stored = (sink: SmtpSink, part: string) => sink.stored.filter(({ address }) => address.includes(part));

let app: TestApp;
beforeAll(async () => {
  const [mainUrl, backupUrl] = await Promise.all([main.listen(), backup.listen()]);
  app = await startSending(
    { policyPauseSeconds: 2, slowestSeconds: 1, stalledPauseSeconds: 1 },
    { env: { SMTP_URL: mainUrl, SMTP_URL_BACKUP: backupUrl } },
  );
});
afterAll(async () => {
  await app.close();
  await Promise.all([main.close(), backup.close()]);
});
async function configure(name: string, config: ProviderConfigDto): Promise<void> {
  const { id } = (await app.get(MailProviders).list()).find((one) => one.name === name)!;
  await app.get(MailProviders).change(id, { config });
  app.get(ProviderAccounts).forget();
  Object.assign(app.get(ProviderThrottles), { refreshedAt: 0 });
}

describe('a recipient domain', () => {
  it('of a large mailbox provider gets ten messages a second and five at a time by a direct account; other domains do not wait', async () => {
    await configure('smtp', { kind: 'direct' });
    const granted = grantedSlots(app, 'google');
    const user = await app.user(unlimited);
    const id = await send(
      user,
      await seedList(app, user, {
        addresses: [
          ...named('slow200-', 40, 'gmail.com'),
          ...named('slow200-', 6, 'googlemail.com'),
          ...Array.from({ length: 60 }, (_, i) => `free${i}@x${i}.test`),
        ],
      }),
    );
    await until(() => stored(main, 'free').length === 60);
    expect(stored(main, 'mail.com').length).toBeLessThan(46);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 46 + 60, failed: 0 });
    granted.forget();
    expect(stored(main, 'mail.com')).toHaveLength(46);
    expectPaced(stored(main, 'mail.com'), granted, { perSecond: 10, batch: 5 });
    expect(
      await rows(app.em(), `select distinct deferrals, ambiguous from email_delivery_logs where history_id = ?`, [id]),
    ).toEqual([{ deferrals: 0, ambiguous: 0 }]);
  });

  it("gets the limits of the account's config, also per connection", async () => {
    await configure('smtp', { domainMessagesPerSecond: 30, domainConnections: 2, messagesPerConnection: 7 });
    main.peakMails = 0;
    const granted = grantedSlots(app, 'y.test');
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: named('slow20-capped', 60, 'y.test') }));
    expect((await settled(user, id)).counts).toMatchObject({ sent: 60, failed: 0 });
    granted.forget();
    expectPaced(stored(main, '@y.test'), granted, { perSecond: 30, batch: 15 });
    expect(main.peakMails).toBe(7);
    expect(main.extraCopies).toBe(0);
  });

  it("that refuses one account holder's mail by policy is held for that send only", async () => {
    await configure('smtp', {});
    main.answer = (address) => (address.startsWith('bad') ? '554 5.7.1 this link is on our list' : undefined);
    const [user, other] = [await app.user(unlimited), await app.user(unlimited)];
    const id = await send(user, await seedList(app, user, { addresses: named('bad', 60, 'judging.test') }));
    const held = `judging.test/${id}`;
    await until(
      async () =>
        (await rows(app.em(), `select 1 from provider_rates where provider = ? and paused_until > now()`, [held]))
          .length > 0,
    );
    const fromOther = await send(other, await seedList(app, other, { addresses: named('good', 30, 'judging.test') }));
    expect((await settled(other, fromOther)).counts).toMatchObject({ sent: 30, failed: 0 });
    expect(
      await rows(app.em(), `select 1 from provider_rates where provider = 'judging.test' and paused_until is not null`),
    ).toEqual([]);
    // The rest of the held send waits in a backlog of its own and is retried after the pause.
    expect(await rows(app.em(), `select provider from delivery_backlogs where history_id = ?`, [id])).toEqual([
      { provider: held },
    ]);
    const refused = main.attempts.filter(({ address }) => address.startsWith('bad')).length;
    expect(refused).toBeGreaterThanOrEqual(5);
    expect(refused).toBeLessThan(50);
    main.answer = () => undefined;
    await until(() => stored(main, 'bad').length > 0);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
  });

  it('that refuses mail of two account holders in a row by policy is paused, the others continue', async () => {
    await configure('smtp', {});
    main.answer = (address) => (address.endsWith('@refusing.test') ? '554 5.7.1 we know you not' : undefined);
    const [user, other] = [await app.user(unlimited), await app.user(unlimited)];
    const fromOther = await send(other, await seedList(app, other, { addresses: named('else', 3, 'refusing.test') }));
    expect((await settled(other, fromOther)).counts).toMatchObject({ failed: 3 });
    const id = await send(
      user,
      await seedList(app, user, { addresses: [...named('some', 60, 'refusing.test'), ...named('all', 30, 'z.test')] }),
    );
    await until(() => stored(main, '@z.test').length === 30);
    await until(
      async () =>
        (await rows(app.em(), `select 1 from provider_rates where provider = 'refusing.test' and paused_until > now()`))
          .length > 0,
    );
    const refused = main.attempts.filter(({ address }) => address.endsWith('@refusing.test')).length;
    expect(refused).toBeGreaterThanOrEqual(5);
    expect(refused).toBeLessThan(50);
    await until(async () => (await user.agent.get(`/api/email-history/${id}`)).body.counts.sent === 30);
    // The server is slow, so that messages remain when the send is cancelled.
    main.modes = { delayMs: 400 };
    main.answer = () => undefined;
    await until(() => stored(main, '@refusing.test').length > 0);
    const { body } = await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    main.modes = {};
    expect(body.counts.failed).toBeLessThan(50);
    expect(body.counts.skipped).toBeGreaterThan(0);
    expect(await rows(app.em(), `select 1 from suppressions`)).toEqual([]);
  });
});

describe('a mail account in warm-up', () => {
  const today = async () =>
    (await rows<{ day: string }>(app.em(), `select to_char(now() at time zone 'UTC', 'YYYY-MM-DD') as day`))[0]!.day;

  /** Ends all pauses, so that the main account is tried again. */
  const tryMain = async (id: string) => {
    await rows(app.em(), `update email_providers set held_until = null, failures = 0`);
    Object.assign(app.get(ProviderAccounts), { localHolds: new Map() });
    app.get(ProviderAccounts).forget();
    await rows(
      app.em(),
      `update email_delivery_logs set next_attempt_at = now() where history_id = ? and status = 'queued'`,
      [id],
    );
  };

  it('does not lose quota to messages that were prepared and not sent', async () => {
    await awayFromTheHour();
    await configure('smtp', { warmUp: await today() });
    const user = await app.user(unlimited);
    main.modes = { delayMs: 300 };
    const id = await send(user, await seedList(app, user, { addresses: named('halted', 90, 'h.test') }));
    await until(() => stored(main, 'halted').length > 0);
    await user.agent.post(`/api/email-history/${id}/pause`).expect(200);
    await until(
      async () =>
        (await rows(app.em(), `select 1 from email_delivery_logs where history_id = ? and status = 'sending'`, [id]))
          .length === 0,
    );
    main.modes = {};
    const sent = stored(main, 'halted').length;
    expect(sent).toBeLessThan(90);
    const used = async () =>
      (await rows<{ n: number }>(app.em(), `select coalesce(sum(messages), 0)::int as n from provider_hours`))[0]!.n;
    await until('what was not sent is returned', async () => (await used()) === sent);
    await user.agent.post(`/api/email-history/${id}/cancel`).expect(200);
    await configure('smtp', {});
    await rows(app.em(), `delete from provider_hours`);
  });

  it('sends no more than its quota', async () => {
    await awayFromTheHour();
    const { id: backupId } = await app.get(MailProviders).add({ name: 'backup', apiKeyRef: 'SMTP_URL_BACKUP' });
    await configure('backup', { warmUp: await today(), domainMessagesPerSecond: 1000, domainConnections: 20 });
    main.unplug();
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: named('taken-over', 160, 'w.test') }));
    const isFull = () => stored(backup, 'taken-over').length === 100;
    const hasMainFailed = async () =>
      (await rows(app.em(), `select 1 from email_providers where failures > 0`)).length > 0;
    // Messages that the failing account could not send wait for its growing pauses, so `tryMain` ends these.
    await until(async () => {
      if (isFull()) return true;
      await tryMain(id);
      await until(async () => isFull() || (await hasMainFailed()));
      return isFull();
    });
    await until(
      async () =>
        (
          await rows<{ n: number }>(
            app.em(),
            `select coalesce(sum(messages), 0)::int as n from provider_hours where provider_id = ?`,
            [backupId],
          )
        )[0]!.n === 100,
    );
    // When the unreachable account's pause ends, messages are assigned to it again, because the other account is full.
    for (let i = 0; i < 3; i++) {
      await tryMain(id);
      await until(hasMainFailed);
    }
    expect(stored(backup, 'taken-over')).toHaveLength(100);
    expect((await user.agent.get(`/api/email-history/${id}`)).body).toMatchObject({
      status: 'pending',
      counts: { sent: 100, queued: 60, failed: 0 },
    });
    await main.plugIn();
    await tryMain(id);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 160 });
  });

  it('includes one started with another address', async () => {
    const day = await today();
    await configure('smtp', { warmUp: day });
    const settings = Object.assign(Object.create(app.settings) as Settings, { smtpUrl: 'smtp://elsewhere.test:2525' });
    await new DefaultMailAccount(app.em(), settings).onApplicationBootstrap();
    const [{ config }] = (await rows<{ config: object }>(
      app.em(),
      `select config from email_providers where name = 'smtp'`,
    )) as [{ config: object }];
    expect(config).toMatchObject({ warmUp: day, host: 'elsewhere.test', port: 2525 });
  });
});
