import { afterAll, beforeAll, expect, it } from '@jest/globals';
import pg from 'pg';
import { setTimeout as pause } from 'node:timers/promises';
import { rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, send, settled, startSending } from '../sending/support.js';
import { BOUNCES, complaint, deliveryReport, postUntilTaken } from './support.js';
import { until } from '../../kit/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending({}, { env: { ...BOUNCES, INBOUND_SECRET: '' } });
});
afterAll(() => app.close());

/** Acts like a restart: drops all connections and refuses new ones for a while. */
async function restartDatabase(downMs: number): Promise<void> {
  const url = new URL(app.settings.databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const admin = new pg.Client({ connectionString: url.toString() });
  await admin.connect();
  try {
    await admin.query(`alter database ${name} allow_connections false`);
    await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = $1`, [name]);
    // eslint-disable-next-line staffcast/no-bare-wait -- the outage's length
    await pause(downMs);
  } finally {
    await admin.query(`alter database ${name} allow_connections true`);
    await admin.end();
  }
}

it('counts each of 500 reports once while the database restarts', async () => {
  const user = await app.user({ set: { tier: 'pro' } });
  const addresses = Array.from({ length: 500 }, (_, i) => `f31-${i}@people.test`);
  const id = await send(user, await seedList(app, user, { addresses }));
  await settled(user, id);
  const reports = app.mails.all
    .filter((mail) => mail.to[0]!.startsWith('f31-'))
    .map(({ to, envelopeFrom }, i) => ({
      to: envelopeFrom,
      raw: i % 5 === 0 ? complaint(envelopeFrom, envelopeFrom) : deliveryReport(envelopeFrom, [{ recipient: to[0]! }]),
    }));
  expect(reports).toHaveLength(500);
  let tries = 0;
  const queue = [...reports];
  const posters = Array.from({ length: 40 }, async () => {
    for (let next = queue.shift(); next; next = queue.shift()) {
      const taken = await postUntilTaken(app, next.to, next.raw);
      tries += taken;
    }
  });
  await until(() => queue.length <= 350);
  await restartDatabase(1_500);
  await until(() => queue.length <= 150);
  await restartDatabase(500);
  await Promise.all(posters);
  expect(tries).toBeGreaterThan(500);
  const counted = await rows<{ class: string; n: number; open: number }>(
    app.em(),
    `select class, count(*)::int as n, (count(*) filter (where applied_at is null))::int as open from bounce_reports where history_id = ? group by class order by class`,
    [id],
  );
  expect(counted).toEqual([
    { class: 'complaint', n: 100, open: 0 },
    { class: 'hard-address', n: 400, open: 0 },
  ]);
  expect((await settled(user, id)).counts).toMatchObject({ sent: 0, bounced: 400, complained: 100 });
  const suppressed = await rows(
    app.em(),
    `select reason, count(*)::int as n from suppressions where address_norm like 'f31-%' group by reason order by reason`,
  );
  expect(suppressed).toEqual([
    { reason: 'bounced', n: 400 },
    { reason: 'complained', n: 100 },
  ]);
});

it('answers 404 for the webhook without its secret', async () => {
  await app
    .http()
    .post('/api/webhooks/mail')
    .set('Content-Type', 'message/rfc822')
    .send('Subject: x\r\n\r\n')
    .expect(404);
});
