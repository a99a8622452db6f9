import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DeliveryClaims } from '../../../src/modules/delivery/batches/delivery-claims.service.js';
import { CancelRemaining } from '../../../src/modules/delivery/cancel-remaining.service.js';
import { DeliveryTuning } from '../../../src/modules/delivery/delivery-tuning.js';
import { RangeLeases } from '../../../src/modules/delivery/scheduling/range-leases.service.js';
import { DeliveryBacklogs } from '../../../src/modules/delivery/throttling/backlogs/delivery-backlogs.service.js';
import { splitSlots } from '../../../src/modules/delivery/throttling/backlogs/slot-split.js';
import { SendStates } from '../../../src/modules/history/send-states.service.js';
import { changed } from '../../../src/shared/database/queries/rows.js';
import { until } from '../../kit/until.js';
import { type Actor, GatedDatabase } from './gated-database.js';
import { ModelRun } from './model-run.js';
import { newHolder, newSend, pass } from './people.js';

let database: GatedDatabase;
beforeAll(async () => {
  database = await GatedDatabase.create();
});
afterAll(() => database.close());

const backlogsOf = (actor: Actor) => new DeliveryBacklogs(actor.em);
const backlogs = () => backlogsOf(database.actor('worker'));
const states = new SendStates(undefined as never);
const domains = (domain: string, count: number) => Array.from({ length: count }, () => domain);
const wait = async (sendId: string, provider: string, positions: number[]) =>
  backlogs().add(sendId, new Map([[provider, positions]]), 'smtp');

/** Creates a send whose messages all wait for one provider. */
async function waiting(provider: string, count: number, userId?: string): Promise<string> {
  const id = await newSend(database, userId ?? (await newHolder(database)), domains(provider, count));
  await wait(
    id,
    provider,
    Array.from({ length: count }, (_, i) => i + 1),
  );
  return id;
}

describe('the backlogs of a provider with fewer connections than waiting account holders', () => {
  it('are served in turn: first holders who were never served, then those who waited longest', async () => {
    const sends: string[] = [];
    for (let i = 0; i < 8; i++) sends.push(await waiting('few.test', 30));
    // Makes PostgreSQL read the backlogs in the physical order of their rows, as it does by itself with other
    // statistics.
    const worker = new DeliveryBacklogs(database.actor('worker', ['set local enable_nestloop = off']).em);
    const served: string[] = [];
    const serve = async () => {
      const leased = await worker.lease('few.test', 20);
      const places = splitSlots(leased, 2).map(({ backlog }) => backlog.sendId);
      for (const id of places) {
        const slice = await backlogs().next(id, 'few.test', 1);
        await backlogs().served(id, 'few.test', slice!, 1);
      }
      await backlogs().release(
        'few.test',
        leased.map(({ sendId }) => sendId).filter((id) => !places.includes(id)),
      );
      served.push(...places);
    };
    for (let round = 0; round < 4; round++) await serve();
    expect([...served].sort()).toEqual([...sends].sort());
    const small = await waiting('few.test', 1);
    for (let round = 0; round < 4; round++) await serve();
    expect(served[8]).toBe(small);
    expect(served.slice(9, 15)).toEqual(served.slice(0, 6));
  });
});

describe("the backlog of a send that is resumed while a worker leases the provider's backlogs", () => {
  it('can be leased afterwards', async () => {
    const id = await waiting('resumed.test', 3);
    const [worker, web] = [database.actor('worker'), database.actor('web')];
    await states.pause(web.em, id);
    worker.isGated = true;
    const leasing = backlogsOf(worker).lease('resumed.test', 20);
    await database.still();
    database.haltsOf(worker)[0]!.let('go');
    await database.still();
    // The worker's statement has run and is not committed yet.
    const resuming = (async () => {
      await states.resume(web.em, id);
      await backlogsOf(web).wake(id);
    })();
    await database.still();
    database.haltsOf(worker)[0]!.let('go');
    expect(await leasing).toEqual([]);
    await resuming;
    expect((await backlogs().lease('resumed.test', 20)).map(({ sendId }) => sendId)).toEqual([id]);
  });
});

describe('ranges that are added while their send is cancelled', () => {
  const added = {
    'for retries': async ({ em }: Actor, id: string) => {
      await database.query(`update email_delivery_logs set next_attempt_at = now() where history_id = $1`, [id]);
      return () => new RangeLeases(em, new DeliveryTuning()).openRetries(id);
    },
    'for messages that nothing would pick up': ({ em }: Actor, id: string) =>
      Promise.resolve(() => new DeliveryClaims(em, undefined as never, new DeliveryTuning()).rebuildRanges(id)),
  };
  it.each(Object.entries(added))('are gone afterwards: %s', async (_, prepare) => {
    const id = await newSend(database, await newHolder(database), domains('cancelled.test', 3));
    const [worker, web] = [database.actor('worker'), database.actor('web')];
    const add = await prepare(worker, id);
    worker.isGated = true;
    const adding = add();
    await database.still();
    database.haltsOf(worker)[0]!.let('go');
    await database.still();
    // The worker's statement has run and is not committed yet.
    const cancelling = states.cancel(web.em, id).then(() => new CancelRemaining(web.em).skip(id));
    await database.still();
    database.haltsOf(worker)[0]!.let('go');
    expect(await adding).toBe(true);
    expect(await cancelling).toBe(true);
    expect(await database.query(`select status from email_delivery_logs where history_id = $1`, [id])).toEqual(
      domains('skipped', 3).map((status) => ({ status })),
    );
    expect(await database.query(`select 1 from delivery_ranges where history_id = $1`, [id])).toEqual([]);
  });

  it('are gone after a sweep where the send had ended, and those of running sends stay', async () => {
    const holder = await newHolder(database);
    const [ended, open] = [
      await newSend(database, holder, domains('ended.test', 2), true),
      await newSend(database, holder, domains('open.test', 2), true),
    ];
    await database.query(`update email_history set status = 'sent' where id = $1`, [ended]);
    await new RangeLeases(database.actor('worker').em, new DeliveryTuning()).removeEnded();
    expect(
      await database.query(`select history_id as id from delivery_ranges where history_id in ($1, $2)`, [ended, open]),
    ).toEqual([{ id: open }]);
  });

  it('stay where a sweep meets a send that is being opened again', async () => {
    const id = await newSend(database, await newHolder(database), domains('reopened.test', 2), true);
    await database.query(`update email_history set status = 'sent' where id = $1`, [id]);
    await database
      .actor('web')
      .em.fork()
      .transactional(async (em) => {
        await changed(em, `update email_history set status = 'pending' where id = ?`, [id]);
        // Removing ended ranges must finish although the other change is not committed. This shows that the removal
        // does not wait for the send.
        await new RangeLeases(database.actor('worker').em, new DeliveryTuning()).removeEnded();
      });
    expect(await database.query(`select history_id as id from delivery_ranges where history_id = $1`, [id])).toEqual([
      { id },
    ]);
  });
});

describe('the providers with a backlog', () => {
  it('do not include those whose backlogs are all of paused sends, or empty', async () => {
    const [paused, open] = [await waiting('paused.test', 3), await waiting('open.test', 3)];
    await states.pause(database.actor('web').em, paused);
    expect(await backlogs().lease('paused.test', 20)).toEqual([]);
    await waiting('empty.test', 1);
    await database.query(`update delivery_backlogs set waiting = 0 where provider = 'empty.test'`);
    const found = await backlogs().providers();
    expect(found.waiting).toEqual(expect.arrayContaining(['open.test']));
    expect(found.waiting).not.toContain('paused.test');
    expect(found.waiting).not.toContain('empty.test');
    // A provider with a leased backlog is still listed as waiting. An empty backlog is due, so that it is removed.
    await backlogs().lease('open.test', 20);
    const later = await backlogs().providers();
    expect(later.waiting).toContain('open.test');
    expect(later.due).not.toContain('open.test');
    expect(later.due).toContain('empty.test');
    await states.resume(database.actor('web').em, paused);
    await backlogs().wake(paused);
    expect((await backlogs().providers()).waiting).toContain('paused.test');
    await backlogs().drop(open);
  });
});

describe('the lease of a backlog', () => {
  it('expires within seconds after the worker was killed: another worker takes it', async () => {
    const id = await waiting('killed.test', 3);
    expect(await backlogs().lease('killed.test', 20)).toHaveLength(1);
    expect(await backlogs().lease('killed.test', 20)).toEqual([]);
    await pass(database, 5.1);
    expect((await backlogs().lease('killed.test', 20)).map(({ sendId }) => sendId)).toEqual([id]);
  });
});

describe('a worker that loses the database after the last message of a backlog', () => {
  it('leaves an empty backlog, which the next scan deletes so that the send ends', async () => {
    const run = new ModelRun(database, false);
    try {
      await run.begin();
      await run.world.accept(0, domains('slowest.test', 8));
      await run.pass(0);
      const halt = await until(() => run.advance('and waiting <= 0', 'start', 1));
      await run.meet(halt!, 'lost');
      expect(await database.query(`select waiting from delivery_backlogs where waiting = 0`)).toHaveLength(1);
      await run.end();
    } finally {
      await run.close();
    }
  });
});
