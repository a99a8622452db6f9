import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MailProviders } from '../../../src/modules/mail-accounts/index.js';
import { ProviderAccounts } from '../../../src/modules/mail-accounts/provider-accounts.service.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { MailHostGuard } from '../../../src/shared/mail/smtp/mail-host-guard.js';
import type { TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { startSending } from '../sending/support.js';

const SECRET = 'op3rations-s3cret';
const TEST_MAIL_MS = 1_500;

/** An SMTP server that accepts every login and every mail, and records what it receives. */
class Thief {
  heard = '';
  private server!: Server;

  async up(): Promise<number> {
    this.server = createServer((socket) => this.talk(socket));
    await new Promise<void>((ready) => this.server.listen(0, '127.0.0.1', () => ready()));
    return (this.server.address() as { port: number }).port;
  }

  down(): void {
    this.server.close();
  }

  private talk(socket: Socket): void {
    let isData = false;
    socket.on('error', () => undefined);
    socket.write('220 thief\r\n');
    socket.on('data', (chunk) => {
      this.heard += chunk.toString();
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        if (isData && line !== '.') continue;
        if (/^EHLO/.test(line)) socket.write('250-thief\r\n250 AUTH PLAIN LOGIN\r\n');
        else if (/^AUTH/.test(line)) socket.write('235 in\r\n');
        else if (/^DATA/.test(line)) socket.write('354 go\r\n');
        else socket.write('250 taken\r\n');
        isData = /^DATA/.test(line);
      }
    });
  }
}

const thief = new Thief();
let app: TestApp;
let admin: SignedUp;
let port: number;
beforeAll(async () => {
  port = await thief.up();
  app = await startSending(
    { testMailMs: TEST_MAIL_MS },
    {
      env: {
        SMTP_PASSWORD_BOUND: SECRET,
        SMTP_HOST_BOUND: 'smtp.provider.example',
        SMTP_PASSWORD_LOOSE: SECRET,
        SMTP_URL_WHOLE: `smtp://ops:${SECRET}@smtp.provider.example`,
      },
    },
  );
  admin = await app.user({ admin: true });
});
afterAll(async () => {
  await app.close();
  thief.down();
});

const add = (body: Record<string, unknown>) =>
  admin.agent.post('/api/admin/providers').send({ currentPassword: PASSWORD, isActive: false, ...body });
const patch = (id: string, body: Record<string, unknown>) =>
  admin.agent.patch(`/api/admin/providers/${id}`).send({ currentPassword: PASSWORD, ...body });
const remove = (id: string) => admin.agent.delete(`/api/admin/providers/${id}`).expect(204);
const fields = ({ body }: { body: { details?: { field: string }[] } }) =>
  (body.details ?? []).map(({ field }) => field);
const makeDefault = async (name: string) => {
  await rows(app.em(), `update email_providers set is_default = false`);
  await rows(app.em(), `update email_providers set is_default = true where name = ?`, [name]);
  app.get(ProviderAccounts).forget();
};
const toThief = () => ({ host: '127.0.0.1', port, requireTLS: false, user: 'ops' });

describe("a mail account's secret", () => {
  it('is not sent to a host that an admin enters when adding or changing the account', async () => {
    for (const apiKeyRef of ['SMTP_PASSWORD_LOOSE', 'SMTP_PASSWORD_BOUND', 'SMTP_URL_WHOLE']) {
      expect((await add({ name: 'thief', apiKeyRef, config: toThief() })).status).toBe(400);
      expect(
        fields(await add({ name: 'thief', apiKeyRef, config: { host: 'smtp.thief.example', user: 'ops' } })),
      ).toEqual([apiKeyRef === 'SMTP_PASSWORD_LOOSE' ? 'config.user' : 'config.host']);
    }
    for (const apiKeyRef of ['SMTP_PASSWORD_BOUND', 'SMTP_URL_WHOLE']) {
      const { body } = await add({
        name: apiKeyRef,
        apiKeyRef,
        config: apiKeyRef === 'SMTP_URL_WHOLE' ? {} : { user: 'ops' },
      }).expect(201);
      expect(body.config.host).toBe('smtp.provider.example');
      expect(
        fields(await patch(body.id, { config: { ...body.config, host: 'smtp.thief.example' } }).expect(400)),
      ).toEqual(['config.host']);
      await patch(body.id, { config: { ...body.config, host: 'SMTP.Provider.example.' } }).expect(200);
      await remove(body.id);
    }
  });

  it('is never sent to a host that was written into the database row, by test mail or system mail', async () => {
    for (const apiKeyRef of ['SMTP_PASSWORD_LOOSE', 'SMTP_PASSWORD_BOUND']) {
      const [{ id } = { id: '' }] = await rows<{ id: string }>(
        app.em(),
        `insert into email_providers (name, api_key_ref, config) values ('old', ?, ?::jsonb) returning id`,
        [apiKeyRef, JSON.stringify(toThief())],
      );
      expect((await admin.agent.get('/api/admin/providers')).body).toContainEqual(
        expect.objectContaining({ id, isConfigured: false }),
      );
      await admin.agent.post(`/api/admin/providers/${id}/test`).send({ to: 'ops@staffcast.test' }).expect(400);
      await makeDefault('old');
      const before = app.mails.to(admin.email).length;
      await app.http().post('/api/auth/forgot-password').send({ email: admin.email }).expect(200);
      await app.mails.waitFor(admin.email, before + 1);
      await makeDefault('smtp');
      await remove(id);
    }
    expect(thief.heard).toBe('');
  });
});

describe('a host entered by an admin', () => {
  const inside = [
    '127.0.0.1',
    '127.1',
    '0',
    '0.0.0.0',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '::1',
    '::',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:10.0.0.1',
    'localhost',
    'LOCALHOST',
    'localhost.',
    'mail.localhost',
    'ip6-localhost',
    'postgres',
    '10.1.2.3',
    '172.16.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    'metadata.google.internal',
    'fd00::1',
    'fe80::1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '224.0.0.1',
    '255.255.255.255',
  ];

  it.each(inside)('is refused where it is internal: %s', async (host) => {
    expect(
      fields(await add({ name: 'inside', apiKeyRef: 'SMTP_PASSWORD_LOOSE', config: { host } }).expect(400)),
    ).toEqual(['config.host']);
  });

  it('is refused in brackets, with non-mail ports, and where its name resolves to an internal address', async () => {
    await add({ name: 'x', apiKeyRef: 'SMTP_PASSWORD_LOOSE', config: { host: '[::1]' } }).expect(400);
    expect(
      fields(
        await add({ name: 'x', apiKeyRef: 'SMTP_PASSWORD_LOOSE', config: { host: 'mail.example', port: 5432 } }).expect(
          400,
        ),
      ),
    ).toEqual(['config.port']);
    const guard = app.get(MailHostGuard);
    const { resolve } = guard;
    guard.resolve = async (host) => (host === 'inside.example' ? ['8.8.8.8', '10.0.0.7'] : resolve(host));
    expect(
      fields(
        await add({ name: 'x', apiKeyRef: 'SMTP_PASSWORD_LOOSE', config: { host: 'inside.example' } }).expect(400),
      ),
    ).toEqual(['config.host']);
    guard.resolve = resolve;
  });

  it('is checked at each connection, which uses the checked address', async () => {
    const guard = app.get(MailHostGuard);
    const { resolve } = guard;
    let address = '8.8.8.8';
    guard.resolve = async (host) => (host === 'rebinding.example' ? [address] : resolve(host));
    expect(await guard.addressOf('rebinding.example')).toBe('8.8.8.8');
    address = '127.0.0.1';
    await expect(guard.addressOf('rebinding.example')).rejects.toMatchObject({ code: 'EDNS' });
    guard.resolve = resolve;
  });

  it('gets the same answer after the same time for every failure; the list shows no more', async () => {
    const guard = app.get(MailHostGuard);
    const { addressOf } = guard;
    const { body } = await add({
      name: 'outside',
      apiKeyRef: 'SMTP_PASSWORD_LOOSE',
      config: { host: 'outside.example', port: 587 },
    }).expect(201);
    const seen = new Set<string>();
    const ways: (() => Promise<string>)[] = [
      async () => '127.0.0.1',
      () => Promise.reject(Object.assign(new Error('refused'), { code: 'EDNS' })),
      () => new Promise(() => undefined),
    ];
    for (const way of ways) {
      guard.addressOf = way;
      app.get(ProviderAccounts).forget();
      await rows(app.em(), `update email_providers set last_error = null, held_until = null where id = ?`, [body.id]);
      const start = Date.now();
      const { body: answer } = await admin.agent
        .post(`/api/admin/providers/${body.id}/test`)
        .send({ to: 'ops@staffcast.test' })
        .expect(200);
      const took = Date.now() - start;
      // eslint-disable-next-line staffcast/no-clock-in-expect -- a lower bound, which a slow machine only exceeds
      expect(took).toBeGreaterThanOrEqual(TEST_MAIL_MS - 50);
      seen.add(JSON.stringify(answer));
    }
    guard.addressOf = addressOf;
    expect([...seen]).toEqual([
      JSON.stringify({ ok: false, answer: 'The mail server did not take the test mail. The log says why.' }),
    ]);
    const audited = await rows<{ reason: string }>(
      app.em(),
      `select distinct reason from audit_events where kind = 'provider.tested'`,
    );
    expect(JSON.stringify(audited)).not.toMatch(/ECONN|ESOCKET|ETIMEDOUT|EDNS/);
    await remove(body.id);
  });
});

describe("the admin's password", () => {
  it('is required for a change of the server only', async () => {
    const body = {
      name: 'asked',
      apiKeyRef: 'SMTP_PASSWORD_BOUND',
      isActive: false,
      config: { user: 'ops', messagesPerSecond: 5 },
    };
    expect(fields(await admin.agent.post('/api/admin/providers').send(body).expect(400))).toEqual(['currentPassword']);
    expect(
      fields(
        await admin.agent
          .post('/api/admin/providers')
          .send({ ...body, currentPassword: 'not the right one' })
          .expect(400),
      ),
    ).toEqual(['currentPassword']);
    const { body: added } = await add(body).expect(201);
    const change = (config: object, currentPassword?: string) =>
      admin.agent.patch(`/api/admin/providers/${added.id}`).send({ config, currentPassword });
    await change({ ...added.config, messagesPerSecond: 9 }).expect(200);
    expect(fields(await change({ ...added.config, user: 'other' }).expect(400))).toEqual(['currentPassword']);
    await change({ ...added.config, user: 'other' }, PASSWORD).expect(200);
    await admin.agent.patch(`/api/admin/providers/${added.id}`).send({ isActive: true }).expect(200);
    expect((await app.get(MailProviders).one(added.id)).config).toEqual({
      user: 'other',
      host: 'smtp.provider.example',
      messagesPerSecond: 5,
    });
    await remove(added.id);
  });
});

describe('the account of SMTP_URL', () => {
  it('can be edited as read; keys unknown to the API are kept', async () => {
    const [first] = (await admin.agent.get('/api/admin/providers').expect(200)).body;
    expect(first.config.port).toBe(Number(new URL(app.settings.smtpUrl).port));
    await rows(app.em(), `update email_providers set config = config || '{"of a later version": 7}' where id = ?`, [
      first.id,
    ]);
    const { body } = await admin.agent
      .patch(`/api/admin/providers/${first.id}`)
      .send({ config: { ...first.config, domainConnections: 3, messagesPerConnection: 40 } })
      .expect(200);
    expect(body.config).toEqual({ ...first.config, domainConnections: 3, messagesPerConnection: 40 });
    const [stored] = await rows<{ config: object }>(app.em(), `select config from email_providers where id = ?`, [
      first.id,
    ]);
    expect(stored!.config).toMatchObject({ 'of a later version': 7, domainConnections: 3 });
  });
});
