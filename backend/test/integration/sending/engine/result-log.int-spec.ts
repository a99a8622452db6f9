import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { BOOT_ID } from '../../../../src/modules/delivery/results/boot-id.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { Metrics } from '../../../../src/shared/metrics/metrics.service.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import type { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { seedList, send, settled, startSending, startWithSink } from '../support.js';
import { until } from '../../../kit/until.js';
import { claimedByDeadWorker, leave } from './dead-worker.js';

let sink: SmtpSink;
let app: TestApp;
beforeAll(async () => {
  ({ app, sink } = await startWithSink());
});
afterAll(() => closeAll(app, sink));
afterEach(() => app.get(JobQueue).queue('deliveries').resume());

const unlimited = { set: { custom_daily_limit: '1000' } };
const kept = (of: TestApp): string[] => readdirSync(join(of.settings.dataDir, 'results'));

describe("results in the worker's log", () => {
  it('are removed from the disk once the rows have them', async () => {
    const user = await app.user(unlimited);
    await settled(user, await send(user, await seedList(app, user, { count: 300 })));
    await until(() => kept(app).length === 0);
    expect(readdirSync(join(app.settings.dataDir, 'groups'))).toEqual([]);
  });

  it('of a dead worker are written before its messages are retried', async () => {
    const user = await app.user(unlimited);
    const dead = await claimedByDeadWorker(app, user, ['kept@x.test', 'refused@x.test', 'open@x.test']);
    const lines = [
      dead.lineOf('kept', { status: 'sent', messageId: '<kept@x>', metadata: { response: '250 2.0.0 stored' } }),
      dead.lineOf('refused', { status: 'failed', metadata: { reason: 'Refused', response: '550 5.7.1 no' } }),
      dead.lineOf('open', { status: 'sent' }).slice(0, 40),
    ];
    leave(app, 'results', 'of-another.jsonl', lines.join('\n'));
    await dead.endLeases();
    await dead.queue.resume();
    expect((await settled(user, dead.sendId)).counts).toMatchObject({ sent: 2, failed: 1 });
    expect(sink.stored.map(({ address }) => address).filter((address) => address.endsWith('@x.test'))).toEqual([
      'open@x.test',
    ]);
    expect(await dead.rowsAfter()).toMatchObject([
      { name: 'kept', ambiguous: 0, messageId: '<kept@x>' },
      { name: 'open', ambiguous: 1 },
      { name: 'refused', ambiguous: 0 },
    ]);
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
    writeFileSync(
      join(dataDir, 'groups', '0-refused.jsonl'),
      `${JSON.stringify({ boot: BOOT_ID, claimToken: 1, messages: [{ id: 'no id', attempt: 1 }] })}\n`,
    );
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
