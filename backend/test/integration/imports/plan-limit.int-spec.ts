import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApp, type TestApp } from '../../kit/app.js';
import { csvOf, Importer } from './support.js';

const LIMIT = 7_000;
let app: TestApp;

beforeAll(async () => {
  app = await startApp({ env: { FREE_CONTACT_LIMIT: String(LIMIT) } });
});
afterAll(() => app.close());

describe('the check of an import of several batches', () => {
  it('leaves out whoever no longer fits the plan, counting the people of earlier batches', async () => {
    const user = new Importer(app, await app.user());
    const listId = await user.list();
    const id = await user.upload(csvOf(12_000));
    await user.checked(id, { listId });
    const verdicts = await user.query(
      `select verdict, reason, count(*)::int as lines, rank() over (order by min(line))::int as place from contact_import_rows where import_id = ? group by verdict, reason order by place`,
      [id],
    );
    expect(verdicts).toEqual([
      { verdict: 'new', reason: null, lines: LIMIT, place: 1 },
      { verdict: 'left_out', reason: 'limit', lines: 12_000 - LIMIT, place: 2 },
    ]);
    await user.committed(id);
    expect((await user.counts()).members).toBe(LIMIT);
  });

  it('continues a check of an earlier version, whose progress holds no number of people', async () => {
    const user = new Importer(app, await app.user());
    const listId = await user.list();
    const id = await user.upload(csvOf(12_000));
    await user.query(
      `create or replace function as_before() returns trigger language plpgsql as $$ begin new.checkpoint := new.checkpoint - 'joining'; return new; end $$`,
    );
    await user.query(
      `create trigger as_before before update on contact_imports for each row when (new.checkpoint is not null) execute function as_before()`,
    );
    try {
      await user.checked(id, { listId });
    } finally {
      await user.query(`drop trigger as_before on contact_imports`);
    }
    expect(
      await user.query(
        `select count(*)::int as lines from contact_import_rows where import_id = ? and reason = 'limit'`,
        [id],
      ),
    ).toEqual([{ lines: 12_000 - LIMIT }]);
  });
});
