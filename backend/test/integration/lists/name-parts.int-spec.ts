import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { NamePartsBackfill } from '../../../src/modules/lists/contacts/name-parts-backfill.js';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { startApp, type TestApp } from '../../kit/app.js';
import type { SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
let ann: SignedUp;
let list: string;
const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const partsOf = async (email: string) =>
  (
    await query<{ name: string; first: string | null; last: string | null }>(
      `select name, first_name as first, last_name as last from subscriptions where email = ? and email_list_id = ?`,
      [email, list],
    )
  )[0];

beforeAll(async () => {
  app = await startApp();
  ann = await app.user();
});
afterAll(() => app.close());

async function fresh(): Promise<string> {
  list = (await ann.agent.post('/api/email-lists').send({ name: 'Named' }).expect(201)).body.id as string;
  return `/api/email-lists/${list}/subscribers`;
}
async function imported(path: string, text: string): Promise<void> {
  const { body } = await ann.agent.post(`${path}/import`).set('Content-Type', 'text/csv').send(text).expect(202);
  await until(async () => (await ann.agent.get(`${path}/import/${body.id}`).expect(200)).body.status === 'done');
}

describe('first and last names', () => {
  it('are taken from an import that has such columns, else by rule from the name', async () => {
    await imported(
      await fresh(),
      'Email,First Name,Last Name,Name,Visa status\na@n.test,Priya,Patel,Priya P.,H1B\nb@n.test,,,"KHAN, NOOR",\n',
    );
    expect(await partsOf('a@n.test')).toEqual({ name: 'Priya P.', first: 'Priya', last: 'Patel' });
    expect(await partsOf('b@n.test')).toEqual({ name: 'KHAN, NOOR', first: 'Noor', last: 'Khan' });
    expect(await query(`select label from contact_fields where email_list_id = ?`, [list])).toEqual([
      { label: 'Visa status' },
    ]);
    await imported(await fresh(), 'Email,First Name,Last Name\nc@n.test,Ann,Lee\n');
    expect(await partsOf('c@n.test')).toEqual({ name: 'Ann Lee', first: 'Ann', last: 'Lee' });
  });

  it('are updated with a manually added or changed name', async () => {
    const path = await fresh();
    const { body } = await ann.agent.post(path).send({ email: 'd@n.test', name: 'Dr. Dora Diaz' }).expect(201);
    expect(await partsOf('d@n.test')).toMatchObject({ first: 'Dora', last: 'Diaz' });
    await ann.agent.patch(`${path}/${body.id}`).send({ name: 'Acme Inc' }).expect(200);
    expect(await partsOf('d@n.test')).toMatchObject({ first: null, last: null });
  });

  it('of earlier contacts are filled in batches, once', async () => {
    await fresh();
    await query(
      `insert into subscriptions (email, email_norm, email_hash, name, attributes, subscription_type, unsubscribe_token, email_list_id, opt_in_state)
       select 'o' || n || '@n.test', 'o' || n || '@n.test', sha256(('o' || n || '@n.test')::bytea), case when n % 2 = 0 then 'Lee, Ann' else 'The Team' end,
         case when n = 1 then '{"Notice": "2 weeks"}'::jsonb end, 'job-posts', 'token-' || n, ?, 'none' from generate_series(1, 2500) n`,
      [list],
    );
    await query(`update contact_backfills set last_id = null, finished_at = null where name = 'name_parts'`);
    const job = app.get(NamePartsBackfill);
    Object.assign(job, { isFinished: false });
    await job.run();
    expect(
      await query(
        `select count(*) filter (where first_name = 'Ann' and last_name = 'Lee')::int as named, count(*) filter (where first_name is null)::int as unnamed from subscriptions where email_list_id = ?`,
        [list],
      ),
    ).toEqual([{ named: 1250, unnamed: 1250 }]);
    expect(await query(`select label from contact_fields where email_list_id = ?`, [list])).toEqual([
      { label: 'Notice' },
    ]);
    expect(await query(`select 1 from contact_backfills where finished_at is not null`)).toHaveLength(1);
  });
});
