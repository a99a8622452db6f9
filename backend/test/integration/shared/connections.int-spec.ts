import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import { entities } from '../../../src/entities.js';
import { openConnections } from '../../../src/shared/database/pool.js';
import { ormConfig } from '../../../src/shared/database/orm-config.js';
import { createDatabase } from '../../kit/database.js';

let database: Awaited<ReturnType<typeof createDatabase>>;
let orm: MikroORM;
beforeAll(async () => {
  database = await createDatabase();
  orm = await MikroORM.init(ormConfig(database.url, entities, { poolMin: 3, poolMax: 5 }));
});
afterAll(async () => {
  await orm.close(true);
  await database.drop();
});

it('the pool opens its minimum connections at start', async () => {
  await openConnections(orm);
  const pool = await orm.em.getConnection().getNativeClient();
  expect([pool.totalCount, pool.idleCount]).toEqual([3, 3]);
});
