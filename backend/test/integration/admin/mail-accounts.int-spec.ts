import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';

let app: TestApp;
let admin: SignedUp;

beforeAll(async () => {
  app = await startApp({
    env: { SMTP_PASSWORD_SPARE: 'hunter2-of-the-spare', SMTP_URL_RELAY: 'smtp://relay:hunter2@relay.example:2525' },
  });
  admin = await app.user({ admin: true, firstName: 'Root' });
});
afterAll(() => app.close());

describe('the mail accounts', () => {
  it('are shown without their secret, changed and tested by admins, with audit entries', async () => {
    const [first] = (await admin.agent.get('/api/admin/providers').expect(200)).body;
    expect(first).toMatchObject({ name: 'smtp', isDefault: true, isActive: true, isConfigured: true });
    expect(
      (await admin.agent.patch(`/api/admin/providers/${first.id}`).send({ isActive: false }).expect(409)).body.code,
    ).toBe('provider_is_default');
    await admin.agent.patch(`/api/admin/providers/${first.id}`).send({ isDefault: true }).expect(200);
    expect(
      (await admin.agent.post(`/api/admin/providers/${first.id}/test`).send({ to: 'ops@staffcast.test' }).expect(200))
        .body.ok,
    ).toBe(true);
    await app.mails.waitFor('ops@staffcast.test');
    await admin.agent.post(`/api/admin/providers/${first.id}/test`).send({ to: 'nobody' }).expect(400);
    const lines = (await admin.agent.get(`/api/admin/audit?actorId=${admin.id}&limit=2`).expect(200)).body as {
      kind: string;
      reason: string;
    }[];
    expect(lines.map(({ kind }) => kind)).toEqual(['provider.tested', 'provider.changed']);
    expect(lines[0]!.reason).toMatch(/^smtp, to ops@staffcast\.test, accepted: 250 /);
  });

  it('are added by the name of a secret, edited and removed, with a reason; faults are reported at their field', async () => {
    const { body: secrets, text } = await admin.agent.get('/api/admin/provider-secrets').expect(200);
    expect(secrets).toEqual([
      { name: 'SMTP_PASSWORD_SPARE', isAddress: false },
      { name: 'SMTP_URL_RELAY', isAddress: true },
    ]);
    expect(text).not.toContain('hunter2');
    const faults = async (body: object) =>
      (await admin.agent.post('/api/admin/providers').send(body).expect(400)).body.details.map(
        ({ field }: { field: string }) => field,
      );
    expect(await faults({ name: 'spare', apiKeyRef: 'SMTP_PASSWORD_NONE', config: { host: 'spare.example' } })).toEqual(
      ['apiKeyRef'],
    );
    expect(await faults({ name: 'spare', apiKeyRef: 'SMTP_PASSWORD_SPARE' })).toEqual(['config.host']);
    expect(
      await faults({
        name: 'spare',
        apiKeyRef: 'SMTP_PASSWORD_SPARE',
        config: { host: 'spare.example', port: 70_000, warmUp: 'soon' },
      }),
    ).toEqual(['config.port', 'config.warmUp']);
    const spare = {
      name: 'spare',
      apiKeyRef: 'SMTP_PASSWORD_SPARE',
      isActive: false,
      config: { host: 'spare.example', warmUp: '2026-11-21' },
    };
    const { body: added } = await admin.agent
      .post('/api/admin/providers')
      .send({ ...spare, reason: 'Second line', currentPassword: PASSWORD })
      .expect(201);
    expect(added).toMatchObject({ ...spare, isDefault: false, isConfigured: true });
    await admin.agent
      .patch(`/api/admin/providers/${added.id}`)
      .send({ isDefault: true, reason: 'Too early' })
      .expect(409);
    const config = { host: 'other.example', messagesPerSecond: 5 };
    expect(
      (
        await admin.agent
          .patch(`/api/admin/providers/${added.id}`)
          .send({ config, reason: 'Moved', currentPassword: PASSWORD })
          .expect(200)
      ).body.config,
    ).toEqual(config);
    await admin.agent.delete(`/api/admin/providers/${added.id}`).send({ reason: 'Given up' }).expect(204);
    const told = (await admin.agent.get(`/api/admin/audit?actorId=${admin.id}&limit=3`).expect(200)).body.map(
      ({ kind, reason }: { kind: string; reason: string }) => `${kind}: ${reason}`,
    );
    expect(told).toEqual([
      expect.stringMatching(/^provider.removed: .*Given up/),
      expect.stringMatching(/^provider.changed: .*Moved/),
      expect.stringMatching(/^provider.added: .*Second line/),
    ]);
  });
});
