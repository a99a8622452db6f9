import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { EntityManager } from '@mikro-orm/postgresql';
import { rows } from '../../../src/shared/database/rows.js';
import { Audience } from '../../../src/modules/lists/index.js';
import { IN_ORDER } from '../../../src/modules/sending/send-layouts.service.js';
import type { TestApp } from '../../kit/app.js';
import { seedList, startSending } from './support.js';

let app: TestApp;
beforeAll(async () => {
  app = await startSending();
}, 60_000);
afterAll(async () => {
  await app.close();
});

it('looks for a chunk at its own recipients, however much PostgreSQL would rather sort the whole rest of the list', async () => {
  const user = await app.user();
  const lists = [await seedList(app, user, { count: 3_000 }), await seedList(app, user, { count: 100 })];
  await rows(app.em(), 'analyze subscriptions');
  for (const chosen of [lists.slice(0, 1), lists]) {
    const page = app.get(Audience).pageSql(chosen.map(({ id }) => id), 'job-posts', user.id, { asOf: new Date(), after: 'p5@people.test', limit: 50 });
    const plan = (first: string) => app.em().fork().transactional(async (em) => {
      await rows(em as EntityManager, `select set_config('random_page_cost', '40', true)`);
      await rows(em as EntityManager, `select ${first}`);
      return (await rows<{ 'QUERY PLAN': string }>(em as EntityManager, `explain ${page.sql}`, page.params)).map((row) => row['QUERY PLAN']).join('\n');
    });
    expect(await plan('1')).toMatch(/(Seq|Bitmap Heap) Scan on subscriptions c/);
    const inOrder = await plan(IN_ORDER);
    // Besides, an address that a suppression names is looked up by its hash: c_2 here.
    expect(inOrder).not.toMatch(/(Seq|Bitmap Heap) Scan on subscriptions c(_1)? /);
    expect(inOrder.match(/Index Scan using subscriptions_list_email_unique/g)).toHaveLength(chosen.length);
    expect(inOrder.match(/using subscriptions_hash_index/g) ?? []).toHaveLength(chosen.length - 1);
    if (chosen.length > 1) expect(inOrder).not.toMatch(/ Sort .*\n *Disabled: true\n *Sort Key: \w+\.email_norm/);
  }
});
