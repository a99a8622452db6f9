import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { rows } from '../../../../src/shared/database/queries/rows.js';
import { Audience } from '../../../../src/modules/lists/index.js';
import { NO_SORT } from '../../../../src/modules/delivery/expansion/send-expansions.service.js';
import type { TestApp } from '../../../kit/app.js';
import { seedList, startSending } from '../support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
});
afterAll(async () => {
  await app.close();
});

it('an expansion reads only the recipients of its chunk, even where the planner would sort the rest of the list', async () => {
  const user = await app.user();
  const lists = [await seedList(app, user, { count: 3_000 }), await seedList(app, user, { count: 100 })];
  await rows(app.em(), 'analyze subscriptions');
  for (const chosen of [lists.slice(0, 1), lists]) {
    const page = app.get(Audience).pageSql(
      chosen.map(({ id }) => id),
      'job-posts',
      user.id,
      { asOf: new Date(), after: 'p5@people.test', limit: 50 },
    );
    const plan = (first: string) =>
      app
        .em()
        .fork()
        .transactional(async (em) => {
          await rows(em, `select set_config('random_page_cost', '40', true)`);
          await rows(em, `select ${first}`);
          return (await rows<{ 'QUERY PLAN': string }>(em, `explain ${page.sql}`, page.params))
            .map((row) => row['QUERY PLAN'])
            .join('\n');
        });
    expect(await plan('1')).toMatch(/(Seq|Bitmap Heap) Scan on subscriptions c/);
    const inOrder = await plan(NO_SORT);
    // An address that a suppression names is additionally looked up by its hash; that scan is c_2.
    expect(inOrder).not.toMatch(/(Seq|Bitmap Heap) Scan on subscriptions c(_1)? /);
    expect(inOrder.match(/Index Scan using subscriptions_list_email_unique/g)).toHaveLength(chosen.length);
    expect(inOrder.match(/using subscriptions_hash_index/g) ?? []).toHaveLength(chosen.length - 1);
    if (chosen.length > 1) expect(inOrder).not.toMatch(/ Sort .*\n *Disabled: true\n *Sort Key: \w+\.email_norm/);
  }
});

it('the expansion of a small send reads only the rows of its own lists, whatever the number of other lists', async () => {
  const user = await app.user();
  const large = await seedList(app, user, { count: 20_000 });
  const small: { id: string }[] = [];
  for (let i = 0; i < 30; i++) small.push(await seedList(app, user, { count: 20 }));
  await rows(app.em(), 'analyze subscriptions');
  const planOf = async (chosen: { id: string }[]) => {
    const { sql, params } = app.get(Audience).selectSql(chosen, 'job-posts', user.id);
    const plan = await rows<{ 'QUERY PLAN': string }>(app.em(), `explain ${sql}`, params);
    return plan.map((row) => row['QUERY PLAN']).join('\n');
  };
  expect(await planOf(small.slice(0, 3))).not.toMatch(/Seq Scan on subscriptions/);
  expect(await planOf([large])).toMatch(/Seq Scan on subscriptions/);
});
