import { afterAll, beforeAll, expect, it, jest } from '@jest/globals';
import { OutreachBudget } from '../../../src/modules/lists/index.js';
import { OptInBatch } from '../../../src/modules/lists/opt-in/opt-in-batch.service.js';
import { SingleRunner } from '../../../src/shared/database/single-runner.js';
import { SystemMailWorker } from '../../../src/shared/mail/system-mail/system-mail-worker.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { add, newList, query } from './support.js';

/** An instance that does not send its outbox. */
let app: TestApp;

beforeAll(async () => {
  app = await startApp();
  await app.get(SystemMailWorker).beforeApplicationShutdown();
});
afterAll(() => app.close());

const mailsFor = async (list: string) =>
  (await query(app, `select 1 from system_mails where subject_id = ? and kind = 'lists.opt-in'`, [list])).length;

it('an instance whose clock lags sends a confirmation mail as soon as it is due by the database', async () => {
  const user = await app.user();
  const { id: list } = await newList(user);
  const shares = [{ list, source: 'owner' as const, ownerId: user.id, most: 100 }];
  await app.get(SingleRunner).run('lists.opt-in', async () => {
    await add(user, list, 'waits@clocks.example').expect(201);
    const senders = await app.get(OutreachBudget).sendersOf([user.id]);
    expect(await app.get(OptInBatch).settle(shares, senders)).toBe(1);
    expect(await mailsFor(list)).toBe(1);
    // The ten minutes between two mails have passed by the database's clock, but not by the instance's clock.
    await query(app, `update system_mails set created_at = created_at - interval '11 minutes' where subject_id = ?`, [
      list,
    ]);
    await query(app, `update subscriptions set opt_in_state = 'due', opt_in_due_at = now() where email_list_id = ?`, [
      list,
    ]);
    jest.useFakeTimers({
      now: Date.now() - 3_600_000,
      doNotFake: [
        'nextTick',
        'setImmediate',
        'clearImmediate',
        'setTimeout',
        'clearTimeout',
        'setInterval',
        'clearInterval',
        'queueMicrotask',
        'performance',
        'hrtime',
      ],
    });
    try {
      expect(await app.get(OptInBatch).settle(shares, senders)).toBe(1);
    } finally {
      jest.useRealTimers();
    }
    expect(await mailsFor(list)).toBe(2);
    expect(await app.get(OptInBatch).settle(shares, senders)).toBe(0);
  });
});
