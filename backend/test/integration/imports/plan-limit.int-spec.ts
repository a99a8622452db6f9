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

  it('counts nobody twice who joins the list while the check goes on', async () => {
    const user = new Importer(app, await app.user());
    const listId = await user.list();
    const id = await user.upload(csvOf(12_000));
    // The first batch's people join by another way, right after they were judged.
    await user.query(
      `create or replace function join_meanwhile() returns trigger language plpgsql as $$ begin
         insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
           select r.email, r.email_norm, r.email_hash, 'job-posts', true, now(), rtrim(translate(encode(sha256(r.email_hash || 'joined'::bytea), 'base64'), '+/', '-_'), '='), '${listId}', 'none'
           from contact_import_rows r where r.import_id = new.id and r.line <= 1001 and r.verdict = 'new' on conflict do nothing;
         return new; end $$`,
    );
    await user.query(
      `create trigger join_meanwhile after update on contact_imports for each row
         when (new.checkpoint ->> 'phase' = 'judge' and (new.checkpoint ->> 'at')::int between 1 and 5500) execute function join_meanwhile()`,
    );
    try {
      await user.checked(id, { listId });
    } finally {
      await user.query(`drop trigger join_meanwhile on contact_imports`);
    }
    const [found] = await user.query<{ joined: number; limited: number; fitting: number }>(
      `select (select count(*) from subscriptions where email_list_id = ?)::int as joined,
         count(*) filter (where reason = 'limit')::int as limited, count(*) filter (where verdict in ('new', 'updated'))::int as fitting
       from contact_import_rows where import_id = ?`,
      [listId, id],
    );
    expect(found!.joined).toBeGreaterThan(0);
    expect(found).toMatchObject({ limited: 12_000 - LIMIT, fitting: LIMIT });
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
