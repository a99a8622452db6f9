import { describe, expect, it } from '@jest/globals';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD } from '../../kit/users.js';
import { app, png } from './account-support.js';
import { until } from '../../kit/until.js';
import { untilAccountSettled } from '../../kit/account-settled.js';

describe('the deletion of an account', () => {
  const remove = (agent: Awaited<ReturnType<TestApp['user']>>['agent'], password: unknown = PASSWORD) =>
    agent.post('/api/auth/delete-account').send({ password });

  it('requires the password, signs out, frees the address and leaves no row', async () => {
    const { agent, email, id } = await app.user();
    await agent.put('/api/auth/user/avatar').set('Content-Type', 'image/png').send(png(8, 8)).expect(200);
    await remove(agent, 'not this one')
      .expect(400)
      .expect(({ body }) => expect(body.details[0].field).toBe('password'));
    await remove(agent, null).expect(400);
    await agent.get('/api/auth/user').expect(200);
    await remove(agent).expect(200);
    await untilAccountSettled(app, { id });
    await agent.get('/api/auth/user').expect(401);
    await app.http().post('/api/auth/login').send({ email, password: PASSWORD }).expect(401);
    for (const table of ['auth_credentials', 'auth_sessions', 'user_avatars', 'audit_events']) {
      expect(await rows(app.em(), `select 1 from ${table} where user_id = ?`, [id])).toEqual([]);
    }
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
    await app.user({ email });
  });

  it('keeps unsubscribe links working, and suppressions without their addresses', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Java' }).expect(201)).body;
    for (const email of ['left@vendor.test', 'stays@vendor.test'])
      await owner.agent.post(`/api/email-lists/${list.id}/subscribers`).send({ email }).expect(201);
    await rows(app.em(), `update subscriptions set confirmed = true, confirmed_at = now() where email_list_id = ?`, [
      list.id,
    ]);
    const links = await rows<{ token: string }>(
      app.em(),
      `select unsubscribe_token as token from subscriptions where email_list_id = ? order by email`,
      [list.id],
    );
    await app.http().post(`/api/unsubscribe/${links[0]!.token}`).expect(200);
    await remove(owner.agent).expect(200);
    await untilAccountSettled(app, owner);
    expect(await rows(app.em(), `select 1 from email_lists where id = ?`, [list.id])).toEqual([]);
    expect(await rows(app.em(), `select address_norm from suppressions where owner_id = ?`, [owner.id])).toEqual([
      { address_norm: null },
    ]);
    expect(await rows(app.em(), `select 1 from consent_events where owner_id = ?`, [owner.id])).toEqual([]);
    for (const { token } of links)
      await app
        .http()
        .post(`/api/unsubscribe/${token}`)
        .expect(200)
        .expect(({ body }) => expect(body.email).toMatch(/@vendor\.test$/));
  });

  it('stops a running send of the account', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Long' }).expect(201)).body;
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state, confirmed, confirmed_at)
       select 'c' || n || '@long.test', 'c' || n || '@long.test', sha256(('long' || n)::bytea), 'job-posts', 'long-' || n, ?::uuid, 'none', true, now() from generate_series(1, 4000) n`,
      [list.id],
    );
    const reached = () => app.mails.all.filter(({ to }) => to[0]?.endsWith('@long.test')).length;
    await owner.agent
      .post('/api/send-email')
      .send({ emailListIds: [list.id], subject: 'Long', content: 'Hello', emailType: 'job-post' })
      .expect(202);
    await app.mails.waitForTotal(app.mails.all.length + 1);
    await remove(owner.agent).expect(200);
    const [before, marker] = [reached(), await app.user({ verified: false })];
    await app.mails.waitFor(marker.email);
    await untilAccountSettled(app, owner);
    expect(reached()).toBeLessThan(4000);
    expect(reached() - before).toBeLessThan(200);
    expect(await rows(app.em(), `select 1 from email_delivery_logs where user_id = ?`, [owner.id])).toEqual([]);
  });

  it('is done in batches: an interrupted erasure is completed by the sweep', async () => {
    const owner = await app.user();
    const list = (await owner.agent.post('/api/email-lists').send({ name: 'Many' }).expect(201)).body;
    await rows(
      app.em(),
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, unsubscribe_token, email_list_id, opt_in_state, confirmed, confirmed_at)
       select 'c' || n || '@parts.test', 'c' || n || '@parts.test', sha256(('parts' || n)::bytea), 'job-posts', rpad('parts' || n || 'x', 43, 'p'), ?::uuid, 'none', true, now() from generate_series(1, 300) n`,
      [list.id],
    );
    await owner.agent
      .post('/api/send-email')
      .send({ emailListIds: [list.id], subject: 'Parts', content: 'Hello', emailType: 'job-post' })
      .expect(202);
    await rows(
      app.em(),
      `create function keep_user() returns trigger language plpgsql as $$ begin if old.id = '${owner.id}' then raise exception 'interrupted'; end if; return old; end $$`,
    );
    await rows(app.em(), `create trigger keep_user before delete on users for each row execute function keep_user()`);
    const { AccountErasure } = await import('../../../src/modules/auth/account/account-erasure.service.js');
    const sweep = async () => {
      await rows(app.em(), `update users set deleted_at = now() - interval '1 hour' where id = ?`, [owner.id]);
      await app.get(AccountErasure).eraseLeftOver();
    };
    try {
      await remove(owner.agent).expect(200);
      const tables = [
        ['email_delivery_logs', 'user_id'],
        ['email_history', 'user_id'],
        ['email_lists', 'owner_id'],
        ['contact_profiles', 'owner_id'],
        ['contact_notes', 'owner_id'],
      ] as const;
      const left = async () => {
        const found = await Promise.all(
          tables.map(([table, column]) =>
            rows(app.em(), `select 1 from ${table} where ${column} = ? limit 1`, [owner.id]),
          ),
        );
        return tables.flatMap(([table], index) => (found[index]!.length > 0 ? [table] : []));
      };
      // A deletion may collide with the running send and fail. The sweep then repeats it.
      await until(async () => {
        if ((await left()).length === 0) return true;
        await sweep();
        return false;
      });
      expect(await rows(app.em(), `select 1 from users where id = ?`, [owner.id])).toHaveLength(1);
      expect(await rows(app.em(), `select 1 from subscriptions where email_list_id = ?`, [list.id])).toEqual([]);
    } finally {
      await rows(app.em(), `drop trigger keep_user on users`);
    }
    await sweep();
    expect(await rows(app.em(), `select 1 from users where id = ?`, [owner.id])).toEqual([]);
    await app
      .http()
      .post(`/api/unsubscribe/${'parts1x'.padEnd(43, 'p')}`)
      .expect(200);
  });

  it('is done by a worker: a web process only answers', async () => {
    const web = await startApp({ env: { ROLE: 'web' } });
    try {
      const owner = await web.user();
      await web.nest.get(JobQueue, { strict: false }).queue('erasures').pause();
      await remove(owner.agent).expect(200);
      expect(
        await rows(web.em(), `select 1 from users where id = ? and deleted_at is not null`, [owner.id]),
      ).toHaveLength(1);
      await web.http().post('/api/auth/login').send({ email: owner.email, password: PASSWORD }).expect(401);
    } finally {
      await web.close();
    }
  });

  it('is completed by the sweep after an interruption', async () => {
    const { id } = await app.user();
    await rows(app.em(), `update users set deleted_at = now() - interval '1 hour' where id = ?`, [id]);
    const { AccountErasure } = await import('../../../src/modules/auth/account/account-erasure.service.js');
    await app.get(AccountErasure).eraseLeftOver();
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
  });

  it("waits for transactions that hold the account's row", async () => {
    const { id } = await app.user();
    await rows(app.em(), `update users set deleted_at = now() where id = ?`, [id]);
    const { AccountErasure } = await import('../../../src/modules/auth/account/account-erasure.service.js');
    let erasing: Promise<void> | undefined;
    let isOver = false;
    await app.em().transactional(async (em) => {
      await rows(em, `select 1 from users where id = ? for update`, [id]);
      erasing = app
        .get(AccountErasure)
        .erase(id)
        .finally(() => (isOver = true));
      await until(
        async () =>
          isOver ||
          (
            await rows(
              app.em(),
              `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%from users%for update%'`,
            )
          ).length > 0,
      );
    });
    await erasing;
    expect(await rows(app.em(), `select 1 from users where id = ?`, [id])).toEqual([]);
  });
});
