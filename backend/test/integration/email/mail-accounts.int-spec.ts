import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { SMTPServer } from 'smtp-server';
import { MailProviders, ProviderTest } from '../../../src/modules/mail-accounts/index.js';
import { ProviderAccounts } from '../../../src/modules/mail-accounts/provider-accounts.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { expectPaced, grantedSlots } from './granted-slots.js';

/** An SMTP server with logins that can refuse mail or be unreachable. */
class AccountSink {
  readonly taken: string[] = [];
  refusesLogin = false;
  private server!: SMTPServer;
  private port = 0;

  async up(): Promise<string> {
    this.server = new SMTPServer({
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      closeTimeout: 1,
      onAuth: ({ username, password }, _session, done) =>
        this.refusesLogin || password !== 'secret'
          ? done(Object.assign(new Error('5.7.8 Authentication failed'), { responseCode: 535 }))
          : done(null, { user: username }),
      onData: (stream, session, done) => {
        stream.resume();
        stream.on('end', () => {
          this.taken.push(session.envelope.rcptTo[0]!.address);
          done();
        });
      },
    });
    this.server.on('error', () => undefined);
    await new Promise<void>((ready) => this.server.listen(this.port, '127.0.0.1', () => ready()));
    this.port = (this.server.server.address() as { port: number }).port;
    return `smtp://user:secret@127.0.0.1:${this.port}`;
  }

  get number(): number {
    return this.port;
  }

  down(): Promise<void> {
    return new Promise((done) => this.server.close(() => done()));
  }
}

const [main, backup] = [new AccountSink(), new AccountSink()];
let app: TestApp;
let providers: MailProviders;
beforeAll(async () => {
  const [url, other] = [await main.up(), await backup.up()];
  app = await startSending(
    {},
    {
      env: {
        SMTP_URL: url,
        SMTP_URL_BACKUP: other,
        SMTP_PASSWORD_THIRD: 'secret',
        SMTP_HOST_THIRD: new URL(other).host,
        SMTP_PASSWORD_LOOSE: 'secret',
      },
    },
  );
  providers = app.get(MailProviders);
});
afterAll(async () => {
  await app.close();
  await Promise.all([main.down(), backup.down()]);
});

const unlimited = { set: { tier: 'pro' } };
const taken = (sink: AccountSink, name: string) => sink.taken.filter((address) => address.startsWith(name)).length;
const addresses = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}@x.test`);
const byName = async (name: string) => (await providers.list()).find((one) => one.name === name)!;
/** Ends the pause that follows a fault. */
const again = async () => {
  await rows(app.em(), `update email_providers set held_until = null, failures = 0`);
  Object.assign(app.get(ProviderAccounts), { localHolds: new Map() });
  app.get(ProviderAccounts).forget();
};
describe('mail accounts', () => {
  it('include the one of SMTP_URL at first, and show no secret', async () => {
    const list = await providers.list();
    expect(list).toEqual([
      expect.objectContaining({
        name: 'smtp',
        apiKeyRef: 'SMTP_URL',
        isDefault: true,
        isActive: true,
        isConfigured: true,
      }),
    ]);
    expect(JSON.stringify(list)).not.toContain('secret');
  });

  it('are added only with a configured secret and a unique name', async () => {
    await expect(providers.add({ name: 'backup', apiKeyRef: 'SMTP_URL_MISSING' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(providers.add({ name: 'third', apiKeyRef: 'SMTP_PASSWORD_LOOSE' })).rejects.toMatchObject({
      status: 400,
    });
    const added = await providers.add({ name: 'backup', apiKeyRef: 'SMTP_URL_BACKUP' });
    expect(added).toMatchObject({ isDefault: false, isActive: true, state: 'unknown', isConfigured: true });
    await expect(providers.add({ name: 'backup', apiKeyRef: 'SMTP_URL_BACKUP' })).rejects.toMatchObject({
      code: 'provider_name_taken',
    });
  });
});

describe('a send', () => {
  beforeEach(again);

  it('uses the default one', async () => {
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: addresses('plain', 30) }));
    expect((await settled(user, id)).counts).toMatchObject({ sent: 30 });
    expect([taken(main, 'plain'), taken(backup, 'plain')]).toEqual([30, 0]);
    await until(async () => (await byName('smtp')).state === 'ok');
    expect((await byName('smtp')).lastOkAt).not.toBeNull();
  });

  it('uses another one where the default refuses the login, without spending attempts', async () => {
    await main.down();
    await main.up();
    main.refusesLogin = true;
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: addresses('login', 40) }));
    expect((await settled(user, id)).counts).toMatchObject({ sent: 40, failed: 0 });
    expect([taken(main, 'login'), taken(backup, 'login')]).toEqual([0, 40]);
    const logged = await rows(
      app.em(),
      `select distinct attempt, deferrals, provider_id from email_delivery_logs where history_id = ?`,
      [id],
    );
    expect(logged).toEqual([{ attempt: 1, deferrals: 0, provider_id: (await byName('backup')).id }]);
    await until(async () => (await byName('smtp')).state === 'failing');
    expect(await byName('smtp')).toMatchObject({ state: 'failing', lastError: expect.stringContaining('535') });
    expect((await byName('smtp')).heldUntil).not.toBeNull();
    main.refusesLogin = false;
  });

  it('uses another account while the default is unreachable, also for system mail, and returns to the default', async () => {
    await main.down();
    const user = await app.user({ ...unlimited, email: 'away-user@x.test' });
    const id = await send(user, await seedList(app, user, { addresses: addresses('away', 40) }));
    expect((await settled(user, id)).counts).toMatchObject({ sent: 40, failed: 0 });
    expect(taken(backup, 'away')).toBeGreaterThanOrEqual(40);
    await until(async () => taken(backup, 'away-user') === 1);
    await main.up();
    await again();
    const next = await send(user, await seedList(app, user, { addresses: addresses('back', 20) }), { subject: 'Back' });
    expect((await settled(user, next)).counts).toMatchObject({ sent: 20 });
    expect([taken(main, 'back'), taken(backup, 'back')]).toEqual([20, 0]);
    await until(async () => (await byName('smtp')).state === 'ok');
  });

  it('waits while all are unreachable, and continues by itself', async () => {
    await Promise.all([main.down(), backup.down()]);
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: addresses('dark', 20) }));
    await until(async () => (await byName('backup')).state === 'failing');
    expect((await user.agent.get(`/api/email-history/${id}`)).body.counts).toMatchObject({ queued: 20, failed: 0 });
    await Promise.all([main.up(), backup.up()]);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 20, failed: 0 });
  });

  it('uses another one for waiting messages of a removed account, which stays named in the log', async () => {
    const gone = await providers.add({ name: 'gone', apiKeyRef: 'SMTP_PASSWORD_THIRD', config: { user: 'user' } });
    const user = await app.user(unlimited);
    const past = await send(user, await seedList(app, user, { addresses: addresses('past', 5) }));
    expect((await settled(user, past)).counts).toMatchObject({ sent: 5 });
    await Promise.all([main.down(), backup.down()]);
    const id = await send(user, await seedList(app, user, { addresses: addresses('orphan', 5) }), {
      subject: 'Orphans',
    });
    await rows(app.em(), `update email_delivery_logs set provider_id = ? where history_id = ?`, [gone.id, past]);
    // Changes only waiting messages. A message that a worker has claimed would keep its account when it is sent.
    await until('all wait for the removed account', async () => {
      await rows(
        app.em(),
        `update email_delivery_logs set provider_id = ? where history_id = ? and status = 'queued'`,
        [gone.id, id],
      );
      const waiting = await rows(
        app.em(),
        `select 1 from email_delivery_logs where provider_id = ? and history_id = ? and status = 'queued'`,
        [gone.id, id],
      );
      return waiting.length === 5;
    });
    await providers.remove(gone.id);
    await Promise.all([main.up(), backup.up()]);
    expect((await settled(user, id)).counts).toMatchObject({ sent: 5, failed: 0 });
    const known = (await providers.list()).map((one) => one.id);
    for (const { provider_id } of await rows<{ provider_id: string }>(
      app.em(),
      `select provider_id from email_delivery_logs where history_id = ?`,
      [id],
    ))
      expect(known).toContain(provider_id);
    expect((await user.agent.get(`/api/email-history/${past}/deliveries`)).body).toHaveLength(5);
  });

  it('uses the new default account, at its rate', async () => {
    const { id } = await byName('backup');
    const smtp = await byName('smtp');
    await expect(providers.change(smtp.id, { isActive: false })).rejects.toMatchObject({ code: 'provider_is_default' });
    await expect(providers.remove(smtp.id)).rejects.toMatchObject({ code: 'provider_is_default' });
    await providers.change(id, { isDefault: true, config: { messagesPerSecond: 20 } });
    await providers.change(smtp.id, { isActive: false });
    await expect(providers.change(smtp.id, { isDefault: true })).rejects.toMatchObject({ code: 'provider_not_active' });
    expect((await providers.list()).map(({ name, isDefault, isActive }) => [name, isDefault, isActive])).toEqual([
      ['backup', true, true],
      ['smtp', false, false],
    ]);
    const user = await app.user(unlimited);
    const granted = grantedSlots(app, '*');
    const sent = await send(user, await seedList(app, user, { addresses: addresses('chosen', 50) }));
    expect((await settled(user, sent)).counts).toMatchObject({ sent: 50 });
    expect([taken(main, 'chosen'), taken(backup, 'chosen')]).toEqual([0, 50]);
    granted.forget();
    expect(granted.slots.length).toBeGreaterThanOrEqual(50);
    expectPaced([], granted, { perSecond: 20, batch: 10 });
    expect(
      await rows(app.em(), `select distinct provider_id from email_delivery_logs where history_id = ?`, [sent]),
    ).toEqual([{ provider_id: id }]);
    await providers.change(smtp.id, { isActive: true, isDefault: true });
    await providers.change(id, { config: {} });
  });

  it('is sent by the SMTP client that the account names, from the next message on', async () => {
    const { id } = await byName('smtp');
    const accounts = app.get(ProviderAccounts);
    const clientOf = async () => (await accounts.inUse()).options.client;
    const before = (await accounts.inUse()).version;
    await providers.change(id, { config: { client: 'nodemailer' } });
    await until(async () => (await clientOf()) === 'nodemailer');
    expect((await accounts.inUse()).version).not.toBe(before);
    const user = await app.user(unlimited);
    const sent = await send(user, await seedList(app, user, { addresses: addresses('plainly', 30) }));
    expect((await settled(user, sent)).counts).toMatchObject({ sent: 30, failed: 0 });
    expect(taken(main, 'plainly')).toBe(30);
    expect(await app.get(ProviderTest).send(id, 'by-test@x.test')).toMatchObject({ ok: true });
    await providers.change(id, { config: {} });
    await until(async () => (await clientOf()) === undefined);
    expect((await accounts.inUse()).version).toBe(before);
  });

  it('is always exactly one, also after concurrent changes', async () => {
    const list = await providers.list();
    await Promise.all(Array.from({ length: 10 }, (_, i) => providers.change(list[i % 2]!.id, { isDefault: true })));
    expect((await providers.list()).filter((one) => one.isDefault)).toHaveLength(1);
    await providers.change((await byName('smtp')).id, { isDefault: true });
  });
});

describe('a test mail', () => {
  it("reports the server's reply", async () => {
    const third = await providers.add({
      name: 'third',
      apiKeyRef: 'SMTP_PASSWORD_THIRD',
      config: { host: '127.0.0.1', port: backup.number, user: 'user' },
    });
    const test = app.get(ProviderTest);
    expect(await test.send(third.id, 'admin@x.test')).toMatchObject({
      ok: true,
      answer: expect.stringMatching(/^250/),
    });
    expect(taken(backup, 'admin@')).toBe(1);
    backup.refusesLogin = true;
    expect(await test.send(third.id, 'admin@x.test')).toEqual({
      ok: false,
      answer: 'The mail server did not take the test mail. The log says why.',
    });
    await until(async () => (await byName('third')).state === 'failing');
    expect((await byName('third')).lastError).toContain('535');
    backup.refusesLogin = false;
    await expect(test.send(third.id, 'a@x.test, b@x.test')).rejects.toMatchObject({ status: 400 });
    await expect(test.send('9a1f9a52-6b0e-4f43-8d6e-1f8a7c1b2e3d', 'a@x.test')).rejects.toMatchObject({ status: 404 });
    await providers.remove(third.id);
    expect(await providers.list()).toHaveLength(2);
  });
});
