import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { BacklogLeases } from '../../../src/modules/delivery/throttling/backlogs/backlog-leases.service.js';
import { DeliveryBacklogs } from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import { GatedDatabase } from './gated-database.js';
import { newHolder, newSend } from './people.js';

let database: GatedDatabase;
beforeAll(async () => {
  database = await GatedDatabase.create();
});
afterAll(() => database.close());

const PROVIDERS = ['c.test', 'b.test', 'a.test'];
const backlogs = () => new DeliveryBacklogs(database.actor('worker').em);
/** Parks one message for each provider. */
const park = (sendId: string, first: number) =>
  backlogs().add(sendId, new Map(PROVIDERS.map((provider, i) => [provider, [first + i]])), 'smtp');

/**
 * Creates a send with leased backlogs. Their rows are stored in the opposite order of the one in which mail is parked.
 */
async function newBacklogs(): Promise<string> {
  const sendId = await newSend(database, await newHolder(database), [...PROVIDERS, ...PROVIDERS]);
  for (const [i, provider] of PROVIDERS.entries()) {
    await backlogs().add(sendId, new Map([[provider, [i + 1]]]), 'smtp');
    await backlogs().lease(provider, 5);
  }
  return sendId;
}

/** Locks a row, as the statement of another worker would. */
async function hold(sql: string, values: readonly unknown[]): Promise<() => Promise<void>> {
  const blocker = database.actor('another worker');
  blocker.isGated = true;
  const held = inTransaction(blocker.em, (em) => rows(em, sql, values));
  await database.still();
  for (const halt of database.haltsOf(blocker)) halt.let('go');
  await database.still();
  return async () => {
    for (const halt of database.haltsOf(blocker)) halt.let('go');
    await held;
  };
}

/**
 * Runs two statements that both need a locked row. Before they wait for it, each has locked the rows that it could get.
 */
async function crossing(sendId: string, first: () => Promise<void>, second: () => Promise<void>): Promise<void> {
  const letGo = await hold(`select 1 from delivery_backlogs where history_id = ? and provider = 'b.test' for update`, [
    sendId,
  ]);
  const both = [first()];
  await database.still();
  both.push(second());
  const ended = Promise.allSettled(both);
  await database.still();
  await letGo();
  expect((await ended).map((end) => (end.status === 'rejected' ? String(end.reason) : 'done'))).toEqual([
    'done',
    'done',
  ]);
}

describe('moving messages to the backlogs of several providers', () => {
  it('does not deadlock with the renewal of their leases', async () => {
    const sendId = await newBacklogs();
    await crossing(
      sendId,
      () => park(sendId, 4),
      () => backlogs().renew(PROVIDERS.map((provider) => ({ provider, sendId }))),
    );
  });

  it('does not deadlock with the resuming of their send', async () => {
    const sendId = await newBacklogs();
    await database.query(`update delivery_backlogs set wake_at = now() + interval '1 hour' where history_id = $1`, [
      sendId,
    ]);
    await crossing(
      sendId,
      () => park(sendId, 4),
      () => backlogs().wake(sendId),
    );
  });

  it('does not deadlock with the cancelling of their send', async () => {
    const sendId = await newBacklogs();
    await crossing(
      sendId,
      () => park(sendId, 4),
      () => backlogs().drop(sendId),
    );
  });
});

describe('the renewal of a lease', () => {
  it('runs one at a time, however slow the database is', async () => {
    const asked: (() => void)[] = [];
    const leases = new BacklogLeases({ renew: () => new Promise<void>((done) => asked.push(done)) } as never);
    const first = leases.renew();
    const second = leases.renew();
    expect(asked).toHaveLength(1);
    asked[0]!();
    await Promise.all([first, second]);
    const third = leases.renew();
    expect(asked).toHaveLength(2);
    asked[1]!();
    await third;
  });

  it('skips a row that another statement has locked, and renews the others', async () => {
    const sendId = await newBacklogs();
    await database.query(
      `update delivery_backlogs set leased_until = now() - interval '1 hour' where history_id = $1`,
      [sendId],
    );
    const letGo = await hold(
      `select 1 from delivery_backlogs where history_id = ? and provider = 'b.test' for update`,
      [sendId],
    );
    await backlogs().renew(PROVIDERS.map((provider) => ({ provider, sendId })));
    await letGo();
    const renewed = await database.query(
      `select provider from delivery_backlogs where history_id = $1 and leased_until > now() order by provider`,
      [sendId],
    );
    expect(renewed).toEqual([{ provider: 'a.test' }, { provider: 'c.test' }]);
  });
});

describe('serving a position of a backlog', () => {
  it('does not deadlock with the cancelling of its send', async () => {
    const sendId = await newBacklogs();
    const slice = await backlogs().next(sendId, 'b.test', 1);
    await crossing(
      sendId,
      () => backlogs().drop(sendId),
      async () => void (await backlogs().served(sendId, 'b.test', slice!, 1)),
    );
  });
});
