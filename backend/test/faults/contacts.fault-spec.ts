import { expect, it } from '@jest/globals';
import { until } from '../kit/until.js';
import { type Fault, faults } from './kit/suite.js';

const PEOPLE = 30_000;
const KILLS = 3;

interface Work {
  what: string;
  /** A text that changes as soon as a worker makes progress. */
  progress: () => Promise<string>;
  hasEnded: () => Promise<boolean>;
}

/** Kills the worker at random moments while it works. @returns number of kills */
async function killedDuring({ world, after }: Fault, { what, progress, hasEnded }: Work): Promise<number> {
  let kills = 0;
  for (let before = ''; kills < KILLS; before = await progress()) {
    await until(`${what} goes on`, async () => (await progress()) !== before || (await hasEnded()));
    await after(0, 250);
    if (await hasEnded()) return kills;
    await world.replace(world.workers[0]!);
    kills += 1;
    // Ends the lease as if a minute had passed. Until then no other worker may take the import, because the first one
    // might still be alive.
    await world.db.query(`update contact_imports set lease_until = now() where lease_until > now()`);
  }
  await until(`${what} has ended`, hasEnded);
  return kills;
}

faults('workers killed while contacts change', (fault) => {
  it('add or change each person once or not at all: in check, commit, bulk change, undo and backfill', async () => {
    const { world } = fault;
    await world.start();
    const account = await world.account();
    const call = async (method: string, path: string, body?: object) => {
      const answer = await world.call(method, path, account, { body });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
      return (answer.status === 204 ? {} : await answer.json()) as Record<string, unknown>;
    };
    const textOf = async (sql: string, params: unknown[] = []) =>
      JSON.stringify((await world.db.query(sql, params)).rows[0] ?? null);
    const counts = async () => {
      const { rows } = await world.db.query<{ people: number; members: number; ties: number }>(
        `select (select count(*) from contact_profiles where owner_id = $1)::int as people,
           count(*)::int as members, count(distinct (c.email_list_id, p.email_norm))::int as ties
         from subscriptions c join email_lists l on l.id = c.email_list_id left join contact_profiles p on p.id = c.profile_id where l.owner_id = $1`,
        [account.id],
      );
      return rows[0]!;
    };
    const ofImport = (what: string, id: string, ...ends: string[]): Work => ({
      what,
      progress: () => textOf(`select run, checkpoint, total, removed from contact_imports where id = $1`, [id]),
      hasEnded: async () => {
        const { status, message } = await call('GET', `/api/imports/${id}`);
        if (status === 'failed') throw new Error(`${what}: ${String(message)}`);
        return ends.includes(status as string);
      },
    });

    const { id: listId } = await call('POST', '/api/email-lists', { name: 'Java vendors' });
    const text = Array.from({ length: PEOPLE }, (_, n) => `p${n}@vendor.test, Pat Lee ${n}`).join('\n');
    const { id } = (await call('POST', '/api/imports', { text })) as { id: string };
    await until('it is read', ofImport('reading', id, 'mapping').hasEnded);
    await call('PATCH', `/api/imports/${id}`, { listId });
    await call('POST', `/api/imports/${id}/check`);
    expect(await killedDuring(fault, ofImport('the check', id, 'ready'))).toBeGreaterThan(0);
    expect(await counts()).toMatchObject({ people: 0, members: 0 });
    await call('POST', `/api/imports/${id}/commit`);
    expect(await killedDuring(fault, ofImport('the commit', id, 'done'))).toBeGreaterThan(0);
    expect((await call('GET', `/api/imports/${id}`)).result).toMatchObject({ added: PEOPLE, updated: 0, leftOut: 0 });
    expect(await counts()).toEqual({ people: PEOPLE, members: PEOPLE, ties: PEOPLE });

    const { id: tag } = await call('POST', '/api/contact-tags', { name: 'Fair 2026' });
    const { jobId } = await call('POST', '/api/contacts/bulk', { filter: {}, action: 'addTags', tags: [tag] });
    const job = () => call('GET', `/api/contacts/bulk/${String(jobId)}`);
    const bulk = {
      what: 'the bulk change',
      progress: () => textOf(`select done from contact_bulk_jobs where id = $1`, [jobId]),
      hasEnded: async () => (await job()).status === 'done',
    };
    expect(await killedDuring(fault, bulk)).toBeGreaterThan(0);
    expect(await job()).toMatchObject({ total: PEOPLE, done: PEOPLE, refused: [] });
    const { rows: tagged } = await world.db.query(
      `select 1 from contact_profiles where owner_id = $1 and tag_ids = array[$2::int]`,
      [account.id, tag],
    );
    expect(tagged).toHaveLength(PEOPLE);

    await call('POST', `/api/imports/${id}/undo`);
    expect(await killedDuring(fault, ofImport('the undo', id, 'undone'))).toBeGreaterThan(0);
    expect((await call('GET', `/api/imports/${id}`)).result).toMatchObject({ removed: PEOPLE, kept: [] });
    expect(await counts()).toMatchObject({ people: 0, members: 0 });

    const addresses = Array.from({ length: PEOPLE / 3 }, (_, n) => `old${n}@vendor.test`);
    for (let list = 0; list < 2; list += 1) await world.list(account, addresses);
    await world.db.query(
      `insert into contact_preparations (owner_id, total) values ($1, $2) on conflict (owner_id) do update set done = 0, total = $2, finished_at = null`,
      [account.id, addresses.length * 2],
    );
    const backfill = {
      what: 'the backfill',
      progress: () => textOf(`select done from contact_preparations where owner_id = $1`, [account.id]),
      hasEnded: async () => (await call('GET', '/api/contacts/preparation')).preparing === false,
    };
    expect(await killedDuring(fault, backfill)).toBeGreaterThan(0);
    const ties = addresses.length * 2;
    expect(await counts()).toEqual({ people: addresses.length, members: ties, ties });
  });
});
