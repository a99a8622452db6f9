import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { MikroORM } from '@mikro-orm/postgresql';
import pg from 'pg';
import { STATEMENT_MS } from '../../../src/shared/database/pool.js';
import { rows, withoutTimeLimit } from '../../../src/shared/database/queries/rows.js';
import { JobQueue } from '../../../src/shared/jobs/job-queue.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { until } from '../../kit/until.js';
import { seedList, sendBody } from '../sending/support.js';

const LIMIT_MS = 1_500;
const productLimit = STATEMENT_MS.web;
let app: TestApp;
beforeAll(async () => {
  Object.assign(STATEMENT_MS, { web: LIMIT_MS });
  app = await startApp({ env: { ROLE: 'web' } });
});
afterAll(async () => {
  await app.close();
  STATEMENT_MS.web = productLimit;
});

describe('a web instance', () => {
  it("ends one account's slow searches before they occupy all connections", async () => {
    const [greedy, other] = [await app.user(), await app.user()];
    const list = (await greedy.agent.post('/api/email-lists').send({ name: 'Large' }).expect(201)).body.id as string;
    const blocker = new pg.Client({ connectionString: app.settings.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query('begin');
      await blocker.query('lock table subscriptions in access exclusive mode');
      const searches = Array.from({ length: 14 }, (_, n) =>
        greedy.agent.get(`/api/email-lists/${list}/subscribers?limit=50&search=${String.fromCharCode(97 + n)}`),
      );
      const answers = Promise.all(
        searches.map((search) => search.then(({ status, body }) => ({ status, code: body.code as string }))),
      );
      let areAnswered = false;
      void answers.finally(() => (areAnswered = true));
      // Three requests wait in the database, each with a connection; the others wait for a connection of the pool.
      const waiting = `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like '%subscriptions%'`;
      const held = async () => {
        // Within a transaction, pg_stat_activity does not change until its snapshot is cleared.
        await blocker.query('select pg_stat_clear_snapshot()');
        return (await blocker.query<{ n: number }>(waiting)).rows[0]!.n;
      };
      await until(async () => (await held()) === 3);
      let most = 0;
      const watched = until(async () => {
        most = Math.max(most, await held());
        return areAnswered;
      });
      // The promise is awaited only at the end. If the test fails earlier, its rejection must not be unhandled.
      watched.catch(() => undefined);
      // Requests above the account's share wait outside the pool, so that the other account gets a connection.
      const pool = await app.get(MikroORM).em.getConnection().getNativeClient();
      await until('nobody waits for a connection', () => pool.waitingCount === 0);
      expect(areAnswered).toBe(false);
      await other.agent.get('/api/auth/me').expect(200);
      expect(await answers).toEqual(Array(14).fill({ status: 503, code: 'unavailable' }));
      await watched;
      expect(most).toBeLessThanOrEqual(3);
    } finally {
      await blocker.query('rollback');
      await blocker.end();
    }
    await greedy.agent.get(`/api/email-lists/${list}/subscribers?limit=50&search=a`).expect(200);
  });

  it('accepts sends of one account that wait for each other longer than a statement may take', async () => {
    const user = await app.user({ set: { tier: 'pro' } });
    const list = await seedList(app, user, { count: 1 });
    const blocker = new pg.Client({ connectionString: app.settings.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query(`select pg_advisory_lock(hashtextextended($1, 0))`, [`send:${user.id}`]);
      const sends = Promise.all(
        Array.from({ length: 3 }, (_, n) =>
          user.agent.post('/api/send-email').send(sendBody(list, { subject: `Job ${n}` })),
        ),
      );
      const waiting = `select 1 from pg_locks where locktype = 'advisory' and not granted`;
      await until('two wait', async () => (await blocker.query(waiting)).rows.length === 2);
      await blocker.query(`select pg_sleep(${(LIMIT_MS / 1000) * 1.2})`);
      await blocker.query(`select pg_advisory_unlock_all()`);
      expect((await sends).map(({ status }) => status)).toEqual([202, 202, 202]);
    } finally {
      await blocker.end();
    }
  });

  it('sets no statement timeout for work that opts out', async () => {
    await expect(rows(app.em(), `select pg_sleep(${(LIMIT_MS / 1000) * 2})`)).rejects.toThrow(/statement timeout/);
    await app.em().transactional(async (em) => {
      await withoutTimeLimit(em as never);
      await rows(em as never, `select pg_sleep(${(LIMIT_MS / 1000) * 1.2})`);
    });
  });

  it('notifies a queue at most once per tenth of a second', async () => {
    const jobs = app.get(JobQueue);
    const queue = jobs.queue('opt-in');
    await queue.pause();
    const from = Date.now();
    const clock = jest.spyOn(Date, 'now');
    try {
      for (let tenth = 0; tenth < 3; tenth++) {
        clock.mockReturnValue(from + tenth * 100);
        await Promise.all(Array.from({ length: 1_000 }, () => jobs.kick('opt-in')));
        const { waiting, delayed, paused } = (await queue.getJobCounts()) as unknown as Record<string, number>;
        expect((waiting ?? 0) + (delayed ?? 0) + (paused ?? 0)).toBe(tenth + 1);
      }
    } finally {
      clock.mockRestore();
      await queue.resume();
    }
  });
});
