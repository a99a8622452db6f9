import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { DeliveryClaims } from '../../../../src/modules/delivery/batches/delivery-claims.service.js';
import { CancelRemaining } from '../../../../src/modules/delivery/cancel-remaining.service.js';
import { DeliveryBacklogs } from '../../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { SingleRunner } from '../../../../src/shared/database/single-runner.js';
import { JobQueue } from '../../../../src/shared/jobs/job-queue.js';
import { closeAll, type TestApp } from '../../../kit/app.js';
import type { SmtpSink } from '../../../kit/sink/smtp-sink.js';
import { until } from '../../../kit/until.js';
import { seedList, send, settled, startWithSink } from '../support.js';
import { claimedByDeadWorker, leave, TOKEN } from './dead-worker.js';

let sink: SmtpSink;
let app: TestApp;
beforeAll(async () => {
  // One slice lasts long enough for a batch that waits for connections.
  ({ app, sink } = await startWithSink({ sliceMs: 20_000 }));
});
afterAll(() => closeAll(app, sink));
afterEach(async () => {
  jest.restoreAllMocks();
  await app.get(JobQueue).queue('deliveries').resume();
});

const unlimited = { set: { custom_daily_limit: '1000' } };

describe('start logs of a dead worker', () => {
  it('show which marked messages were never begun: these are sent at once and not flagged as possible duplicates', async () => {
    const user = await app.user(unlimited);
    const dead = await claimedByDeadWorker(app, user, ['begun@y.test', 'marked@y.test', 'torn@y.test']);
    leave(app, 'groups', 'of-another.jsonl', `${dead.firstLine(TOKEN, 'marked', 'begun')}1\n`);
    leave(app, 'groups', 'torn.jsonl', `${dead.firstLine(TOKEN, 'torn')}1`);
    await dead.endLeases();
    await dead.queue.resume();
    expect((await settled(user, dead.sendId)).counts).toMatchObject({ sent: 3 });
    expect(await dead.rowsAfter()).toMatchObject([
      { name: 'begun', ambiguous: 1 },
      { name: 'marked', ambiguous: 0 },
      { name: 'torn', ambiguous: 1 },
    ]);
    expect(readdirSync(join(app.settings.dataDir, 'groups')).sort()).toEqual(['of-another.jsonl', 'torn.jsonl']);
  });

  it('say nothing about rows that another batch marked', async () => {
    const user = await app.user(unlimited);
    const dead = await claimedByDeadWorker(app, user, ['begun@v.test', 'other@v.test', 'unsent@v.test']);
    leave(app, 'groups', 'won.jsonl', `${dead.firstLine(TOKEN, 'unsent', 'begun')}1\n`);
    // The worker of this batch was killed before it marked the rows, or before it learnt that it marked none.
    leave(app, 'groups', 'lost.jsonl', dead.firstLine(TOKEN + 1, 'begun', 'other', 'unsent'));
    await dead.endLeases();
    await dead.queue.resume();
    expect((await settled(user, dead.sendId)).counts).toMatchObject({ sent: 3 });
    expect(await dead.rowsAfter()).toMatchObject([
      { name: 'begun', ambiguous: 1 },
      { name: 'other', ambiguous: 1 },
      { name: 'unsent', ambiguous: 0 },
    ]);
  });

  it('are left to the next recovery for rows whose leases ended after the logs were read', async () => {
    const user = await app.user(unlimited);
    const { queue, sendId, keys, rowsAfter } = await claimedByDeadWorker(app, user, [
      'one@u.test',
      'two@u.test',
      'three@u.test',
    ]);
    const claims = app.get(DeliveryClaims);
    const leasesEndedBefore = await claims.databaseTime();
    await rows(app.em(), `update email_delivery_logs set lease_until = now() where history_id = ?`, [sendId]);
    expect(await claims.requeueUnbegun(keys, TOKEN, leasesEndedBefore)).toBe(0);
    await claims.recoverUnknown({ sendId, from: 1, to: 3 }, leasesEndedBefore);
    const states = async () => new Set((await rowsAfter()).map(({ status, ambiguous }) => `${status} ${ambiguous}`));
    expect(await states()).toEqual(new Set(['sending 0']));
    expect(await claims.requeueUnbegun(keys, TOKEN, await claims.databaseTime())).toBe(3);
    expect(await states()).toEqual(new Set(['queued 0']));
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 3 });
  });

  it('are read before a cancelled send is settled; a process that cannot read them leaves its messages alone', async () => {
    const user = await app.user(unlimited);
    const dead = await claimedByDeadWorker(app, user, ['begun@w.test', 'marked@w.test', 'sent@w.test']);
    leave(app, 'groups', 'cancelled.jsonl', `${dead.firstLine(TOKEN, 'marked', 'begun', 'sent')}1,2\n`);
    leave(app, 'results', 'cancelled.jsonl', `${dead.lineOf('sent', { status: 'sent' })}\n`);
    const settle = async (): Promise<void> => {
      await dead.endLeases();
      await rows(app.em(), `update email_history set cancelled_at = now() where id = ?`, [dead.sendId]);
      const withoutDatabase = new CancelRemaining(app.em());
      withoutDatabase.recoverLogsBy(() => Promise.reject(new Error('the database is away')));
      for (const remaining of [new CancelRemaining(app.em()), withoutDatabase])
        expect(await remaining.skip(dead.sendId)).toBe(false);
      expect((await dead.rowsAfter()).map(({ status }) => status)).toEqual(['sending', 'sending', 'sending']);
      expect(await app.get(CancelRemaining).skip(dead.sendId)).toBe(true);
    };
    // The app's own sweep, which would settle the send too, does not run meanwhile.
    await until('no sweep runs', () => app.get(SingleRunner).run('sending.sweep', settle));
    expect(await dead.rowsAfter()).toMatchObject([
      { name: 'begun', status: 'unconfirmed', ambiguous: 1 },
      { name: 'marked', status: 'skipped', ambiguous: 0 },
      { name: 'sent', status: 'sent', ambiguous: 0 },
    ]);
    await dead.queue.resume();
  });

  it('are read by their own worker where unsent messages could not be put back, while others wait for their replies', async () => {
    const user = await app.user(unlimited);
    let answer!: () => void;
    sink.held = new Promise((done) => (answer = done));
    try {
      const backlogs = app.get(DeliveryBacklogs);
      const park = backlogs.park.bind(backlogs);
      let failed = 0;
      jest.spyOn(backlogs, 'park').mockImplementation((...args) => {
        if (args[2] !== 'marked' || failed > 0) return park(...args);
        failed++;
        return Promise.reject(new Error('the database is away'));
      });
      // A new provider gets four connections, so three of the messages have to wait.
      const list = await seedList(app, user, { addresses: [1, 2, 3, 4, 5, 6, 7].map((n) => `p${n}@held.test`) });
      const sendId = await send(user, list);
      const stored = () =>
        sink.stored.map(({ address }) => address).filter((address) => address.endsWith('@held.test'));
      await until('four messages wait for their replies', () => stored().length === 4 && failed > 0);
      const marked = () =>
        rows<{ id: string }>(
          app.em(),
          `select id from email_delivery_logs where history_id = ? and transmitting and recipient_email <> all(?::text[])`,
          [sendId, stored()],
        );
      const unsent = (await marked()).map(({ id }) => id);
      expect(unsent).toHaveLength(3);
      await rows(
        app.em(),
        `update email_delivery_logs set lease_until = now() - interval '1 second' where id = any(?::uuid[])`,
        [unsent],
      );
      await until('they are put back', async () => (await marked()).length === 0);
      expect(stored()).toHaveLength(4);
      answer();
      expect((await settled(user, sendId)).counts).toMatchObject({ sent: 7 });
      expect(stored()).toHaveLength(7);
      expect(
        await rows(app.em(), `select distinct ambiguous from email_delivery_logs where history_id = ?`, [sendId]),
      ).toEqual([{ ambiguous: 0 }]);
    } finally {
      sink.held = undefined;
      answer();
    }
  });
});

describe('claims', () => {
  it('let only one of several workers mark a row', async () => {
    const user = await app.user(unlimited);
    const queue = app.get(JobQueue).queue('deliveries');
    await queue.pause();
    const sendId = await send(user, await seedList(app, user, { count: 40 }));
    const claims = app.get(DeliveryClaims);
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
    await rows(
      app.em(),
      `update email_delivery_logs set status = 'queued', transmitting = false, lease_until = null where history_id = ?`,
      [sendId],
    );
    await queue.resume();
    expect((await settled(user, sendId)).counts).toMatchObject({ sent: 40 });
  });
});
