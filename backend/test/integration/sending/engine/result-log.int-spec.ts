import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryBacklogs } from '../../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { StartLog } from '../../../../src/modules/delivery/results/start-log.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { Metrics } from '../../../../src/shared/metrics/metrics.service.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import type { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import type { SignedUp } from '../../../kit/users.js';
import { seedList, send, settled, startSending, startWithSink } from '../support.js';
import { until } from '../../../kit/until.js';

let sink: SmtpSink;
let app: TestApp;
beforeAll(async () => {
  ({ app, sink } = await startWithSink());
});
afterAll(() => closeAll(app, sink));

const unlimited = { set: { custom_daily_limit: '1000' } };
const kept = (of: TestApp): string[] => readdirSync(join(of.settings.dataDir, 'results'));

/** Token of the start log with which `claimedByAnother` claims. */
const TOKEN = 7;

/** A send to three people that a dead worker has claimed; no delivery jobs run. */
async function claimedByAnother(user: SignedUp, addresses: string[]) {
  const queue = app.get(JobQueue).queue('deliveries');
  await queue.pause();
  const sendId = await send(user, await seedList(app, user, { addresses }));
  const claims = app.get(DeliveryClaims);
  await claims.claim(sendId, await claims.peekDue({ sendId, from: 1, to: 3 }), undefined, TOKEN);
  const ids = await rows<{ id: string; name: string }>(
    app.em(),
    `select id, split_part(recipient_email, '@', 1) as name from email_delivery_logs where history_id = ?`,
    [sendId],
  );
  return { queue, sendId, ids };
}

describe("results in the worker's log", () => {
  it('are removed from the disk once the rows have them', async () => {
    const user = await app.user(unlimited);
    await settled(user, await send(user, await seedList(app, user, { count: 300 })));
    await until(() => kept(app).length === 0);
    expect(readdirSync(join(app.settings.dataDir, 'groups'))).toEqual([]);
  });

  it('of a dead worker are written before its messages are retried', async () => {
    const user = await app.user(unlimited);
    const { queue, sendId, ids } = await claimedByAnother(user, ['kept@x.test', 'refused@x.test', 'open@x.test']);
    const lineOf = (name: string, rest: object): string =>
      JSON.stringify({ id: ids.find((row) => row.name === name)!.id, attempt: 1, ...rest });
    const lines = [
      lineOf('kept', { status: 'sent', messageId: '<kept@x>', metadata: { response: '250 2.0.0 stored' } }),
      lineOf('refused', { status: 'failed', metadata: { reason: 'Refused', response: '550 5.7.1 no' } }),
      lineOf('open', { status: 'sent' }).slice(0, 40),
    ];
    mkdirSync(join(app.settings.dataDir, 'results'), { recursive: true });
    writeFileSync(join(app.settings.dataDir, 'results', 'of-another.jsonl'), lines.join('\n'));
    await rows(
      app.em(),
      `update email_delivery_logs set lease_until = now() - interval '1 second' where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 2, failed: 1 });
    expect(sink.stored.map(({ address }) => address).filter((address) => address.endsWith('@x.test'))).toEqual([
      'open@x.test',
    ]);
    const after = await rows(
      app.em(),
      `select split_part(recipient_email, '@', 1) as name, ambiguous, message_id as "messageId" from email_delivery_logs where history_id = ? order by 1`,
      [sendId],
    );
    expect(after).toMatchObject([
      { name: 'kept', ambiguous: 0, messageId: '<kept@x>' },
      { name: 'open', ambiguous: 1 },
      { name: 'refused', ambiguous: 0 },
    ]);
  });

  it('show which marked messages were never begun: these are sent at once and not flagged as possible duplicates', async () => {
    const user = await app.user(unlimited);
    const { queue, sendId, ids } = await claimedByAnother(user, ['begun@y.test', 'marked@y.test', 'torn@y.test']);
    const keysOf = (...names: string[]) =>
      JSON.stringify({
        token: TOKEN,
        messages: names.map((name) => ({ id: ids.find((row) => row.name === name)!.id, attempt: 1 })),
      });
    const folder = join(app.settings.dataDir, 'groups');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'of-another.jsonl'), `${keysOf('marked', 'begun')}\n1\n`);
    writeFileSync(join(folder, 'torn.jsonl'), `${keysOf('torn')}\n1`);
    await rows(
      app.em(),
      `update email_delivery_logs set lease_until = now() - interval '1 second' where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 3 });
    const after = await rows(
      app.em(),
      `select split_part(recipient_email, '@', 1) as name, ambiguous from email_delivery_logs where history_id = ? order by 1`,
      [sendId],
    );
    expect(after).toEqual([
      { name: 'begun', ambiguous: 1 },
      { name: 'marked', ambiguous: 0 },
      { name: 'torn', ambiguous: 1 },
    ]);
    expect(readdirSync(folder).sort()).toEqual(['of-another.jsonl', 'torn.jsonl']);
  });

  it('show nothing about rows that another batch marked', async () => {
    const user = await app.user(unlimited);
    const { queue, sendId, ids } = await claimedByAnother(user, ['begun@v.test', 'other@v.test', 'unsent@v.test']);
    const recordOf = (token: number, ...names: string[]) =>
      `${JSON.stringify({
        token,
        messages: names.map((name) => ({ id: ids.find((row) => row.name === name)!.id, attempt: 1 })),
      })}\n`;
    const folder = join(app.settings.dataDir, 'groups');
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'won.jsonl'), `${recordOf(TOKEN, 'unsent', 'begun')}1\n`);
    // The worker of this batch was killed before it marked the rows, or before it learnt that it marked none.
    writeFileSync(join(folder, 'lost.jsonl'), recordOf(TOKEN + 1, 'begun', 'other', 'unsent'));
    await rows(
      app.em(),
      `update email_delivery_logs set lease_until = now() - interval '1 second' where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 3 });
    expect(
      await rows(
        app.em(),
        `select split_part(recipient_email, '@', 1) as name, ambiguous from email_delivery_logs where history_id = ? order by 1`,
        [sendId],
      ),
    ).toEqual([
      { name: 'begun', ambiguous: 1 },
      { name: 'other', ambiguous: 1 },
      { name: 'unsent', ambiguous: 0 },
    ]);
  });

  it('leave rows to the next recovery whose leases ended after they were read', async () => {
    const user = await app.user(unlimited);
    const { queue, sendId, ids } = await claimedByAnother(user, ['one@u.test', 'two@u.test', 'three@u.test']);
    const claims = app.get(DeliveryClaims);
    const before = await claims.databaseTime();
    await rows(app.em(), `update email_delivery_logs set lease_until = now() where history_id = ?`, [sendId]);
    const keys = ids.map(({ id }) => ({ id, attempt: 1 }));
    expect(await claims.putBack(keys, TOKEN, before)).toBe(0);
    await claims.recoverUnknown({ sendId, from: 1, to: 3 }, before);
    const states = () =>
      rows(app.em(), `select distinct status, ambiguous from email_delivery_logs where history_id = ?`, [sendId]);
    expect(await states()).toEqual([{ status: 'sending', ambiguous: 0 }]);
    expect(await claims.putBack(keys, TOKEN, await claims.databaseTime())).toBe(3);
    expect(await states()).toEqual([{ status: 'queued', ambiguous: 0 }]);
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 3 });
  });

  it("let only one of two workers mark a row, and only that worker's record counts", async () => {
    const user = await app.user(unlimited);
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const sendId = await send(user, await seedList(app, user, { count: 40 }));
    const [claims, groups] = [app.get(DeliveryClaims), app.get(StartLog)];
    const [one, other] = await Promise.all([
      claims.peekDue({ sendId, from: 1, to: 40 }),
      claims.peekDue({ sendId, from: 1, to: 40 }),
    ]);
    expect(other).toEqual(one);
    const marked = await Promise.all([
      claims.claim(sendId, one.slice(0, 30)),
      claims.claim(sendId, other.slice(10)),
      claims.claim(sendId, one),
    ]);
    expect(marked.flatMap((found) => [...found.keys()]).sort()).toEqual(one.map(({ id }) => id).sort());
    expect((await claims.claim(sendId, one)).size).toBe(0);
    await app.get(DeliveryBacklogs).park(sendId, one, 'due', 'an account');
    expect(
      await rows(
        app.em(),
        `select attempt, status, transmitting from email_delivery_logs where history_id = ? group by 1, 2, 3`,
        [sendId],
      ),
    ).toEqual([{ attempt: 1, status: 'sending', transmitting: true }]);
    expect(await groups.recover()).toMatchObject({ requeued: 0 });
    await rows(
      app.em(),
      `update email_delivery_logs set status = 'queued', transmitting = false, lease_until = null where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 40 });
  });

  it('that the database rejects are stored aside, without delaying others', async () => {
    const user = await app.user(unlimited);
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const sendId = await send(
      user,
      await seedList(app, user, { addresses: ['odd@z.test', 'worse@z.test', 'good@z.test', 'later@z.test'] }),
    );
    const claims = app.get(DeliveryClaims);
    const held = await claims.peekDue({ sendId, from: 1, to: 4 });
    await claims.claim(sendId, held);
    const ids = await rows<{ id: string; name: string }>(
      app.em(),
      `select id, split_part(recipient_email, '@', 1) as name from email_delivery_logs where history_id = ?`,
      [sendId],
    );
    const lineOf = (name: string, rest: object): string =>
      JSON.stringify({ id: ids.find((row) => row.name === name)!.id, attempt: 1, ...rest });
    const { dataDir } = app.settings;
    const results = join(dataDir, 'results');
    mkdirSync(results, { recursive: true });
    mkdirSync(join(dataDir, 'groups'), { recursive: true });
    writeFileSync(
      join(results, '0-refused.jsonl'),
      [
        lineOf('odd', { status: 'sent', messageId: '<odd@x>', metadata: { response: '250 cut \ud83d' } }),
        lineOf('worse', { status: 'no status' }),
        '{"id":"no id","status":"sent"}',
        'null',
        lineOf('good', { status: 'sent' }),
      ].join('\n'),
    );
    writeFileSync(join(results, 'z-later.jsonl'), lineOf('later', { status: 'sent' }));
    writeFileSync(join(dataDir, 'groups', '0-refused.jsonl'), '{"token":1,"messages":[{"id":"no id","attempt":1}]}\n');
    await rows(
      app.em(),
      `update email_delivery_logs set lease_until = now() - interval '1 second' where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 4 });
    expect(sink.stored.map(({ address }) => address).filter((address) => address.endsWith('@z.test'))).toEqual([
      'worse@z.test',
    ]);
    const after = await rows(
      app.em(),
      `select split_part(recipient_email, '@', 1) as name, message_id as id, metadata->>'reason' as reason from email_delivery_logs where history_id = ? order by 1`,
      [sendId],
    );
    expect(after).toMatchObject([
      { name: 'good' },
      { name: 'later' },
      { name: 'odd', id: '<odd@x>', reason: 'The details could not be stored' },
      { name: 'worse' },
    ]);
    expect(
      readdirSync(join(dataDir, 'refused'))
        .map((name) => name.split('-')[0])
        .sort(),
    ).toEqual(['groups', 'results', 'results', 'results', 'results']);
    expect(await app.get(Metrics).text()).toContain('staffcast_worker_log_lines_rejected_total{log="results"} 4');
    for (const folder of ['results', 'groups'])
      for (const name of readdirSync(join(dataDir, folder)))
        if (/refused|later/.test(name)) rmSync(join(dataDir, folder, name));
  });

  it('are stored for any server reply, truncated between characters', async () => {
    const user = await app.user(unlimited);
    const said = `550 5.7.1 ${'x'.repeat(489)}\u{1f600} and more`;
    sink.answer = (address) => (address === 'loud@x.test' ? Buffer.from(said).toString('latin1') : undefined);
    const id = await send(user, await seedList(app, user, { addresses: ['loud@x.test'] }));
    expect((await settled(user, id)).counts).toMatchObject({ failed: 1 });
    sink.answer = () => undefined;
    const [row] = await rows<{ response: string }>(
      app.em(),
      `select metadata->>'response' as response from email_delivery_logs where history_id = ?`,
      [id],
    );
    expect(row!.response).toBe(said.slice(0, 499));
  });

  it('are written to PostgreSQL one by one while the disk is full', async () => {
    const other = await startSending({}, { env: { SMTP_URL: app.env.SMTP_URL! }, beside: app });
    try {
      writeFileSync(join(other.settings.dataDir, 'results'), 'in the way');
      await app.get(JobQueue).queue('deliveries').pause(true);
      const user = await app.user(unlimited);
      expect((await settled(user, await send(user, await seedList(app, user, { count: 120 })))).counts).toMatchObject({
        sent: 120,
      });
    } finally {
      await app.get(JobQueue).queue('deliveries').resume(true);
      await other.close();
    }
  });
});
