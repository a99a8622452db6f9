import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SendExpansions } from '../../../src/modules/delivery/index.js';
import { ListRemoval } from '../../../src/modules/lists/my-lists/list-removal.service.js';
import { inTransaction, rows } from '../../../src/shared/database/queries/rows.js';
import type { TestApp } from '../../kit/app.js';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { until } from '../../kit/until.js';
import { prepareProfiles, seedList, send, settled, startSending } from '../sending/support.js';

const PEOPLE = 400;
const sink = new SmtpSink();
let app: TestApp;

beforeAll(async () => {
  app = await startSending(
    { layOutAtOnce: 100, firstChunk: 30, chunk: 70, range: 50, claim: 50, sliceMs: 500 },
    { env: { SMTP_URL: await sink.listen() } },
  );
});
afterAll(async () => {
  await app.close();
  await sink.close();
});

const PRO = { set: { tier: 'pro' } };
const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const addresses = (name: string) =>
  Array.from({ length: PEOPLE }, (_, i) => `${name}${i}@${i % 4 === 0 ? 'out.example' : 'in.example'}`);
const mailed = (name: string) => sink.stored.filter(({ address }) => address.startsWith(name));

describe('a large audience', () => {
  it('is frozen by a worker, then expanded in chunks: each address gets it once', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: addresses('chunk') });
    const id = await send(user, list, { excludeAddresses: ['out.example'] });
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ recipientCount: '300', counts: { sent: 300, leftOut: 100 } });
    expect(mailed('chunk')).toHaveLength(300);
    expect(mailed('chunk').some(({ address }) => address.endsWith('@out.example'))).toBe(false);
    const [ledger] = await sql<{ first: number; last: number; n: number }>(
      `select min(position) as first, max(position) as last, count(distinct position)::int as n from email_delivery_logs where history_id = ?`,
      [id],
    );
    expect(ledger).toEqual({ first: 1, last: 300, n: 300 });
    expect(await sql(`select 1 from send_layouts where history_id = ?`, [id])).toEqual([]);
  });

  it('whose freezing was interrupted is frozen again: everybody gets it once', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: addresses('killed') });
    let id = '';
    await inTransaction(app.em(), async (em) => {
      // The worker's statement waits for this lock.
      await rows(em, `lock table send_left_out in access exclusive mode`);
      id = await send(user, list, { excludeAddresses: ['out.example'] });
      const blocked = `pid <> pg_backend_pid() and datname = current_database() and wait_event_type = 'Lock' and query like 'with memberships as%'`;
      // Uses another connection, because a transaction keeps the activity of its first query.
      await until(async () => (await sql(`select 1 from pg_stat_activity where ${blocked}`)).length > 0);
      expect(await sql(`select pg_terminate_backend(pid) from pg_stat_activity where ${blocked}`)).toHaveLength(1);
    });
    const entry = await settled(user, id);
    expect(entry).toMatchObject({ recipientCount: '300', counts: { sent: 300, leftOut: 100 } });
    expect(mailed('killed')).toHaveLength(300);
    expect(new Set(mailed('killed').map(({ address }) => address)).size).toBe(300);
    expect(await sql(`select count(*)::int as n from send_left_out where history_id = ?`, [id])).toEqual([{ n: 100 }]);
  });

  it('excludes the people of a list that is deleted before the freezing', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: addresses('vendor') });
    const clients = await seedList(app, user, { addresses: ['vendor1@in.example'], name: 'Clients' });
    const purge = async () => {
      await sql(`update email_lists set deleted_at = now() - interval '1 day' where id = ?`, [clients.id]);
      await app.get(ListRemoval).purge();
      return sql(`select 1 from email_lists where id = ?`, [clients.id]);
    };
    let id = '';
    await inTransaction(app.em(), async (em) => {
      // The worker that freezes the audience waits for this lock.
      await rows(em, `lock table send_members in access exclusive mode`);
      id = await send(user, list, { excludeListIds: [clients.id] });
      await user.agent.delete(`/api/email-lists/${clients.id}`).expect(204);
      expect(await purge()).toHaveLength(1);
    });
    expect((await settled(user, id)).counts).toMatchObject({ sent: 399, leftOut: 1 });
    expect(sink.attemptsOf('vendor1@in.example')).toBe(0);
    expect(await purge()).toHaveLength(0);
  });

  it('is the one at acceptance: people who join later are not in it, people who leave later are not mailed', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: addresses('late') });
    let id = '';
    await inTransaction(app.em(), async (em) => {
      await rows(em, `lock table send_members in access exclusive mode`);
      id = await send(user, list, { excludeAddresses: ['out.example'] });
      await sql(
        `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
         values ('latecomer@in.example', 'latecomer@in.example', sha256('latecomer@in.example'::bytea), 'job-posts', true, now(), 'latecomer', ?, 'none')`,
        [list.id],
      );
    });
    expect((await settled(user, id)).counts).toMatchObject({ sent: 300 });
    expect(sink.attemptsOf('latecomer@in.example')).toBe(0);
  });

  it('is frozen after those of earlier sends, so that two sends to "not mailed" people reach nobody twice', async () => {
    const user = await app.user(PRO);
    const list = await seedList(app, user, { addresses: addresses('order') });
    const more = await seedList(app, user, {
      addresses: Array.from({ length: 110 }, (_, i) => `order-more${i}@more.example`),
      name: 'More',
    });
    await prepareProfiles(app, user);
    const filter = { combinator: 'and', rules: [{ field: 'mailed', operator: 'notLastDays', value: 7 }] };
    const segment = (await user.agent.post('/api/segments').send({ name: 'Unmailed', filter }).expect(201)).body.id;
    const ids: string[] = [];
    await inTransaction(app.em(), async (em) => {
      await rows(em, `lock table send_left_out in share mode`);
      ids.push(await send(user, list, { excludeAddresses: ['out.example'], subject: 'First' }));
      ids.push(await send(user, more, { segmentIds: [segment], subject: 'Second' }));
      expect(await app.get(SendExpansions).insertNextChunk(ids[1]!)).toBe('busy');
    });
    const entries = await Promise.all(ids.map((id) => settled(user, id)));
    expect(entries.map(({ counts }) => counts.sent)).toEqual([300, 210]);
    expect(new Set(mailed('order').map(({ address }) => address)).size).toBe(510);
  });
});
