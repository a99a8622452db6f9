import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { setTimeout as pause } from 'node:timers/promises';
import { SENDING_CLIENTS } from '../../../src/shared/enums.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending, untilMailAccountFailed } from '../sending/support.js';

const unlimited = { set: { tier: 'pro' } };
const addresses = (name: string, count: number) => Array.from({ length: count }, (_, i) => `${name}${i}@x.test`);

describe.each(SENDING_CLIENTS)('a failing mail server of an account that sends by the %s client', (client) => {
  const sink = new SmtpSink();
  let app: TestApp;
  beforeAll(async () => {
    sink.modes = { offerAuth: true };
    const url = new URL(await sink.listen());
    app = await startSending({}, { env: { SMTP_URL: `smtp://user:secret@${url.host}?client=${client}` } });
  });
  afterAll(async () => {
    await app.close();
    await sink.close();
  });
  afterEach(() => {
    sink.modes = { offerAuth: true };
  });

  it('that refuses the sender, then the login, fails no recipient', async () => {
    sink.modes = { offerAuth: true, refuseSender: true };
    const user = await app.user(unlimited);
    const list = await seedList(app, user, { addresses: addresses('b5-', 30) });
    const id = await send(user, list);
    await untilMailAccountFailed(app, 2);
    expect((await user.agent.get(`/api/email-history/${id}`)).body.counts).toMatchObject({ queued: 30, failed: 0 });
    sink.modes = { refuseAuth: true };
    sink.cutAll();
    await untilMailAccountFailed(app, 3);
    expect((await user.agent.get(`/api/email-history/${id}`)).body.counts).toMatchObject({ queued: 30, failed: 0 });
    sink.modes = { offerAuth: true };
    expect((await settled(user, id)).counts).toMatchObject({ sent: 30, failed: 0, skipped: 0 });
    expect(await rows(app.em(), `select 1 from suppressions`)).toEqual([]);
    expect(
      await rows(app.em(), `select distinct deferrals from email_delivery_logs where history_id = ?`, [id]),
    ).toEqual([{ deferrals: 0 }]);
  });

  it('that greets with 421 spends no attempt of 100 recipients', async () => {
    sink.modes = { offerAuth: true, busy: true };
    sink.cutAll();
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: addresses('b6-', 100) }));
    await untilMailAccountFailed(app, 2);
    sink.modes = { offerAuth: true };
    expect((await settled(user, id)).counts).toMatchObject({ sent: 100, failed: 0 });
    expect(
      await rows(app.em(), `select distinct deferrals from email_delivery_logs where history_id = ?`, [id]),
    ).toEqual([{ deferrals: 0 }]);
    expect(sink.stored.filter(({ address }) => address.startsWith('b6-'))).toHaveLength(100);
  });

  it('gets no more connections than configured', async () => {
    sink.cutAll();
    // eslint-disable-next-line staffcast/no-bare-wait -- connections that were cut leave the sink's own count with their next event
    await pause(100);
    sink.peakConnections = 0;
    sink.modes = { offerAuth: true, delayMs: 20, mailsPerConnection: 50 };
    const user = await app.user(unlimited);
    const id = await send(user, await seedList(app, user, { addresses: addresses('b9-', 500) }));
    expect((await settled(user, id)).counts).toMatchObject({ sent: 500, failed: 0 });
    expect(sink.stored.filter(({ address }) => address.startsWith('b9-'))).toHaveLength(500);
    // Ten connections are for bulk mail and three for system mail.
    expect(sink.peakConnections).toBeLessThanOrEqual(13);
  });
});
