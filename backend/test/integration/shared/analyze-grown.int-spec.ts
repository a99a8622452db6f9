import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { analyzeGrown } from '../../../src/shared/database/queries/analyze-grown.js';
import { CONSENT } from '../../../src/modules/lists/profiles/consent-conditions.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { sqlOf } from '../contacts/support.js';
import { prepareProfiles, seedList } from '../sending/support.js';

let app: TestApp;
const sql = sqlOf(() => app);
beforeAll(async () => void (app = await startApp()));
afterAll(() => app.close());

const statsOf = async (name: string) =>
  (
    await sql<{ analyzed: number; changed: number }>(
      'select analyze_count::int as analyzed, n_mod_since_analyze::int as changed from pg_stat_user_tables where relname = ?',
      [name],
    )
  )[0]!;

describe('the statistics of a table', () => {
  it('are updated once it has doubled, and not again until it doubles again', async () => {
    await sql('create table growing (n int) with (autovacuum_enabled = false)');
    const grow = async (count: number) => {
      const { changed } = await statsOf('growing');
      await sql('insert into growing select generate_series(1, ?::int)', [count]);
      await until('the growth is counted', async () => (await statsOf('growing')).changed === changed + count);
      await analyzeGrown(app.em(), ['growing', 'subscriptions']);
      return (await statsOf('growing')).analyzed;
    };
    expect(await grow(900)).toBe(0);
    expect(await grow(2_100)).toBe(1);
    expect(await grow(3_500)).toBe(1);
    expect(await grow(1_000)).toBe(2);
    await sql('drop table growing');
  });
});

describe('the consent of contacts in a table that was never analyzed', () => {
  it('is read by contact, not by list', async () => {
    const ann = await app.user();
    await sql('alter table subscriptions set (autovacuum_enabled = false)');
    await sql('alter table contact_profiles set (autovacuum_enabled = false)');
    await seedList(app, ann, { addresses: Array.from({ length: 3_000 }, (_, n) => `p${n}@firm.example`) });
    await prepareProfiles(app, ann);
    const plan = await sql<{ 'QUERY PLAN': unknown }>(
      `explain (analyze, format json) select ${CONSENT} from contact_profiles p where p.owner_id = ? limit 50`,
      [ann.id],
    );
    const text = JSON.stringify(plan);
    expect(text).toContain('subscriptions_profile_index');
    expect(text).not.toMatch(/subscriptions_list_name_index|Seq Scan","Parent[^}]*"Relation Name":"subscriptions"/);
  });
});
