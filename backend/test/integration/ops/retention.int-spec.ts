import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expiredSessions } from '../../../src/modules/auth/sessions/session-purge.service.js';
import { NETWORK_MAIL_RETENTION } from '../../../src/modules/delivery/batches/network-cap.service.js';
import { OLD_SENDS, PURGE_BATCH } from '../../../src/modules/delivery/delivery-retention.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { removal, removeOld, Retention, type RetentionRule } from '../../../src/shared/retention/retention.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { seedList, send, settled } from '../sending/support.js';

let app: TestApp;
beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const sql = <T extends object>(text: string, params: unknown[] = []) => rows<T>(app.em(), text, params);
const count = async (from: string) => (await sql<{ n: number }>(`select count(*)::int as n from ${from}`))[0]!.n;

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Index Cond'?: string;
  'Recheck Cond'?: string;
  Plans?: Node[];
}

/** The index conditions with which a statement finds a table's rows; empty if it scans the table. */
async function conditions(table: string, statement: string, params: unknown[], scans = 'off'): Promise<string[]> {
  const [row] = await app.em().transactional(async (em) => {
    await em.execute(`set local enable_seqscan = ${scans}`);
    return rows<{ 'QUERY PLAN': { Plan: Node }[] }>(
      em as ReturnType<TestApp['em']>,
      `explain (format json) ${statement}`,
      params,
    );
  });
  const nodes = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(nodes)];
  return nodes(row!['QUERY PLAN'][0]!.Plan)
    .filter((node) => node['Relation Name'] === table)
    .map((node) => node['Index Cond'] ?? node['Recheck Cond'] ?? '');
}

/** Tables that keep rows for a few days at most, so that a partial index or a sequential scan is sufficient. */
const SHORT = new Set(['mailbox_usage', 'delivery_shares']);

describe('the nightly purge', () => {
  it('finds old rows by an index, in every table', async () => {
    const all = [...app.get(Retention)['rules'], ...expiredSessions(365), NETWORK_MAIL_RETENTION];
    expect(all.length).toBeGreaterThan(12);
    for (const rule of all.filter((one): one is RetentionRule => 'where' in one && !SHORT.has(one.table))) {
      expect({
        table: rule.table,
        by: (await conditions(rule.table, removal(rule), [...(rule.params ?? [])])).filter(Boolean),
      }).toEqual({ table: rule.table, by: [expect.stringMatching(/<|=/)] });
    }
    expect(
      await conditions('auth_credentials', 'select 1 from auth_credentials where reset_token_expires < now()', []),
    ).toEqual([expect.stringContaining('reset_token_expires')]);
    expect(
      await conditions('email_history', OLD_SENDS, ['-infinity', '00000000-0000-0000-0000-000000000000', 400, 200]),
    ).toEqual([expect.stringContaining('sent_at')]);
    expect(
      await conditions('email_delivery_logs', PURGE_BATCH, ['00000000-0000-0000-0000-000000000000', 0, 5000, 400]),
    ).toEqual(expect.arrayContaining([expect.stringContaining('history_id')]));
  });

  it('deletes one batch per statement, without long locks, until nothing is left', async () => {
    const user = await app.user();
    await sql(
      `insert into audit_events (kind, user_id, at) select 'signed_in', ?, now() - interval '400 days' from generate_series(1, 45)`,
      [user.id],
    );
    await sql('create table statements_seen (n int)');
    await sql(
      `create function note_statement() returns trigger language plpgsql as $$ begin insert into statements_seen select count(*) from old_rows; return null; end $$`,
    );
    await sql(
      `create trigger note_statement after delete on audit_events referencing old table as old_rows for each statement execute function note_statement()`,
    );
    const [rule] = expiredSessions(365).filter(({ table }) => table === 'audit_events');
    expect(await removeOld(app.em(), { ...rule!, batch: 20 })).toBe(45);
    expect((await sql<{ n: number }>('select n from statements_seen')).map(({ n }) => n)).toEqual([20, 20, 5]);
  });

  it('does not scan deleted rows again, also where many are old', async () => {
    const user = await app.user();
    await sql(
      `insert into audit_events (kind, user_id, at) select 'signed_in', ?, now() - n * interval '25 minutes' from generate_series(1, 30000) n`,
      [user.id],
    );
    await sql('analyze audit_events');
    const [rule] = expiredSessions(365).filter(({ table }) => table === 'audit_events');
    expect(
      (await conditions('audit_events', removal({ ...rule!, batch: 1_000 }), [365], 'on')).filter(Boolean),
    ).toEqual([expect.stringContaining('at <')]);
  });

  it('deletes old rows and keeps recent, open and permanent ones', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const [old, young] = [
      await send(user, await seedList(app, user, { count: 12 })),
      await send(user, await seedList(app, user, { addresses: ['young@people.test'] }), { subject: 'Young' }),
    ];
    await Promise.all([settled(user, old), settled(user, young)]);
    await sql(`update email_history set sent_at = now() - interval '401 days' where id = ?`, [old]);
    await sql(
      `update email_delivery_logs set created_at = now() - interval '401 days', status = case when position = 12 then 'deferred' else status end where history_id = ?`,
      [old],
    );
    await sql(
      `insert into bounce_reports (mail_kind, mail_id, report_key, address_hash, class, created_at, applied_at)
       select 'delivery', gen_random_uuid(), kind || days, 'x', kind, now() - make_interval(days => days), case when days < 500 then now() end
       from unnest(array['hard-address', 'complaint']) kind, unnest(array[1, 401, 501]) days`,
    );
    await sql(
      `insert into contact_trends (owner_id, quarter, backend, added) select ?, now() - make_interval(days => days), 0, 1 from unnest(array[1, 61]) days`,
      [user.id],
    );
    await sql(
      `insert into provider_hours (provider_id, hour) select id, now() - make_interval(days => days) from email_providers, unnest(array[1, 8]) days`,
    );
    await sql(
      `insert into outreach_days (sender, day, own_sent) select decode('aa', 'hex'), (now() at time zone 'UTC')::date - days, days from unnest(array[1, 89, 90, 400]) days`,
    );
    await sql(
      `insert into outreach_hours (sender, hour, own_sent) select decode('aa', 'hex'), now() - make_interval(hours => hours), hours from unnest(array[1, 24, 26, 400]) hours`,
    );
    const accounts = await count('email_providers');
    await app.get(Retention).purge();
    expect(
      await sql(`select position from email_delivery_logs where history_id in (?, ?) order by 1`, [old, young]),
    ).toEqual([{ position: 1 }, { position: 12 }]);
    expect(
      (
        await sql<{ key: string }>(`select report_key as key from bounce_reports where address_hash = 'x' order by 1`)
      ).map(({ key }) => key),
    ).toEqual(['complaint1', 'complaint401', 'complaint501', 'hard-address1', 'hard-address501']);
    expect(await count(`contact_trends where quarter < now() - interval '60 days'`)).toBe(0);
    expect(await count(`contact_trends where owner_id = '${user.id}'`)).toBeGreaterThan(0);
    expect(await count('provider_hours')).toBe(accounts);
    expect(
      (
        await sql<{ days: number }>(
          `select own_sent as days from outreach_days where sender = decode('aa', 'hex') order by 1`,
        )
      ).map(({ days }) => days),
    ).toEqual([1, 89]);
    expect(
      (
        await sql<{ hours: number }>(
          `select own_sent as hours from outreach_hours where sender = decode('aa', 'hex') order by 1`,
        )
      ).map(({ hours }) => hours),
    ).toEqual([1, 24]);
  });
});
