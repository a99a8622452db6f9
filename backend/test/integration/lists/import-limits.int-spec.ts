import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { createConnection } from 'node:net';
import { rows } from '../../../src/shared/database/queries/rows.js';
import { ImportScheduler } from '../../../src/modules/lists/imports/running/import-scheduler.service.js';
import { ImportSweeper } from '../../../src/modules/lists/imports/running/import-sweeper.js';
import { startApp, type TestApp } from '../../kit/app.js';
import { PASSWORD, type SignedUp } from '../../kit/users.js';
import { until } from '../../kit/until.js';

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const query = <T extends object>(sql: string, params: unknown[] = []) => rows<T>(app.em(), sql, params);
const lines = (count: number, name = 'v') =>
  Array.from({ length: count }, (_, n) => `${name}${n}@x.example,Vendor ${n}`).join('\n');

interface Job {
  status: string;
  total: number;
  added: number;
  skipped: number;
  message: string | null;
  rows: { line: number }[];
}

/** An account with a list, and helpers for its imports. */
async function importer(options: Parameters<TestApp['user']>[0] = {}, on = app) {
  const user: SignedUp = await on.user(options);
  const list = (await user.agent.post('/api/email-lists').send({ name: 'Imported' }).expect(201)).body.id as string;
  const path = `/api/email-lists/${list}/subscribers/import`;
  const start = (text: string | Buffer) => user.agent.post(path).set('Content-Type', 'text/csv').send(text);
  const look = async (id: string) => (await user.agent.get(`${path}/${id}`).expect(200)).body as Job;
  const ended = async (id: string): Promise<Job> => {
    await until(async () => ['done', 'failed'].includes((await look(id)).status));
    return look(id);
  };
  const stored = () => query('select id from contact_imports where email_list_id = ?', [list]);
  return { user, list, path, start, look, ended, stored };
}

/**
 * Records the order in which imports get slices, from now on. The returned array grows by one import id with every
 * slice that the scheduler hands out.
 */
function slicesOf(on: TestApp): string[] {
  const ids: string[] = [];
  const scheduler = on.get(ImportScheduler);
  const next = scheduler.next.bind(scheduler);
  jest.spyOn(scheduler, 'next').mockImplementation(async (held) => {
    const slice = await next(held);
    if (slice) ids.push(slice.kind === 'file' ? slice.claimed.id : slice.importId);
    return slice;
  });
  return ids;
}

/** More lines than one slice or one batch processes. */
const LARGE = 24_000;

describe('imports of several accounts', () => {
  it('take turns: another account waits for slices of an import, not for whole files', async () => {
    const [large, small] = [await importer(), await importer()];
    const first = (await large.start(lines(LARGE, 'a')).expect(202)).body.id as string;
    const second = (await large.start(lines(LARGE, 'b')).expect(202)).body.id as string;
    await until(async () => (await large.look(first)).status === 'running');
    const slices = slicesOf(app);
    const id = (await small.start(lines(100, 'c')).expect(202)).body.id as string;
    const before = slices.length;
    expect(await small.ended(id)).toMatchObject({ status: 'done', added: 100 });
    const own = slices.filter((one) => one === id).length;
    expect(own).toBeGreaterThan(0);
    // Before each slice of this account comes at most one slice of the other account.
    expect(slices.slice(before, slices.lastIndexOf(id)).filter((one) => one !== id).length).toBeLessThanOrEqual(own);
    expect([(await large.look(first)).status, (await large.look(second)).status]).not.toContain('done');
    expect(await large.ended(first)).toMatchObject({ status: 'done', total: LARGE, added: LARGE, skipped: 0 });
    expect(await large.ended(second)).toMatchObject({ status: 'done', total: LARGE, added: LARGE, skipped: 0 });
  });

  it('take turns with decisions about attested imports', async () => {
    const [owner, small] = [await importer(), await importer()];
    const admin = await app.user({ admin: true });
    const id = (await owner.start(lines(22_000, 'd')).set('X-Import-Attestation', 'Clients since 2024').expect(202))
      .body.id as string;
    await owner.ended(id);
    const [other] = await Promise.all([
      small.start(lines(100, 'e')).expect(202),
      admin.agent.post(`/api/admin/imports/${id}/confirm`).send({}).expect(200),
    ]);
    await small.ended(other.body.id as string);
    const carriedOut = () =>
      query<{ late: boolean }>(
        `select carried_out_at > (select finished_at from contact_imports where id = ?) as late from contact_imports where id = ? and carried_out_at is not null`,
        [other.body.id, id],
      );
    await until(async () => (await carriedOut()).length > 0);
    expect(await carriedOut()).toEqual([{ late: true }]);
    expect(await query(`select id from subscriptions where import_id = ? and opt_in_state = 'held'`, [id])).toEqual([]);
  });
});

describe('a refused upload', () => {
  it.each([
    ['by its lines', (path: string) => ({ path, type: 'text/csv', body: '"a\n'.repeat(1_333_333) })],
    [
      'by its form',
      (path: string) => ({
        path,
        type: 'multipart/form-data; boundary=x',
        body: `--x\r\nContent-Disposition: form-data; name="file"; filename="a.csv"\r\n\r\n${'"a\n'.repeat(1_333_333)}\r\n--x--\r\n`,
      }),
    ],
  ])('%s does not break its connection', async (_how, upload) => {
    const { user, path } = await importer();
    const { body: signedIn } = await app
      .http()
      .post('/api/auth/token')
      .send({ email: user.email, password: PASSWORD })
      .expect(200);
    const { path: to, type, body } = upload(path);
    const host = new URL(app.url);
    const socket = createConnection(Number(host.port), host.hostname);
    let text = '';
    const answers = () => text.match(/HTTP\/1\.1 \d+/g) ?? [];
    const ended = new Promise<void>((resolve, reject) => {
      socket
        .on('data', (piece) => {
          text += piece.toString();
          if (answers().length === 2) resolve();
        })
        .on('error', reject)
        .on('close', () => resolve())
        .setTimeout(15_000, () => resolve());
    });
    socket.write(
      `POST ${to} HTTP/1.1\r\nHost: ${host.host}\r\nAuthorization: Bearer ${signedIn.accessToken}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`,
    );
    socket.write(body);
    socket.write(`GET /api/health/live HTTP/1.1\r\nHost: ${host.host}\r\n\r\n`);
    await ended;
    socket.destroy();
    expect(answers()).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });
});

describe('a file', () => {
  it('of junk fails early, and stores almost nothing', async () => {
    const one = await importer({ verified: false });
    const id = (await one.start('"a\n'.repeat(90_000)).expect(202)).body.id as string;
    const job = await one.ended(id);
    expect(job).toMatchObject({
      status: 'failed',
      total: 5_000,
      added: 0,
      skipped: 5_000,
      message: expect.stringContaining('does not look like a list'),
    });
    expect(job.rows).toHaveLength(100);
    expect(await query('select line from contact_import_rejects where import_id = ?', [id])).toHaveLength(100);
    expect(await query('select position from contact_import_chunks where import_id = ?', [id])).toHaveLength(0);
    const csv = await one.user.agent.get(`${one.path}/${id}/rejected.csv`).expect(200);
    expect(csv.text).toContain('4900 more lines did not go in');
  });

  it('with many invalid lines stores the first 10,000 of them and counts the rest', async () => {
    const one = await importer();
    const bad = Array.from({ length: 22_000 }, (_, n) => (n % 2 ? `bad ${n}` : `good${n % 2_000}@x.example`));
    const id = (await one.start(bad.join('\n')).expect(202)).body.id as string;
    expect(await one.ended(id)).toMatchObject({
      status: 'done',
      total: 22_000,
      added: 1_000,
      skipped: 21_000,
      message: null,
    });
    expect(await query('select line from contact_import_rejects where import_id = ?', [id])).toHaveLength(10_000);
    const csv = (await one.user.agent.get(`${one.path}/${id}/rejected.csv`).expect(200)).text.trim().split('\r\n');
    expect(csv).toHaveLength(10_002);
    expect(csv.at(-1)).toContain('11000 more lines did not go in');
  });

  it('has at most as many lines as a spreadsheet', async () => {
    const one = await importer();
    const { body } = await one.start('a\n'.repeat(1_048_577)).expect(413);
    expect(body.message).toContain('1,048,576 lines');
    expect(await one.stored()).toEqual([]);
  });

  it('with 999 columns of long texts is accepted', async () => {
    const one = await importer();
    const { body } = await one
      .start(`email,${Array.from({ length: 998 }, (_, n) => `"column, ${n}"`).join(',')}\n${lines(3)}\n`)
      .expect(202);
    expect(await one.ended(body.id)).toMatchObject({ status: 'done', added: 3 });
  });
});

describe('an account', () => {
  it('has at most three open imports; a fourth is refused before it is stored, also concurrently', async () => {
    await app.nest.get('BullQueue_imports', { strict: false }).pause(true);
    try {
      const one = await importer();
      const answers = await Promise.all(Array.from({ length: 6 }, (_, n) => one.start(lines(10, `t${n}x`))));
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 202, 202, 429, 429, 429]);
      const refused = answers.find(({ status }) => status === 429)!;
      expect(refused.body).toMatchObject({
        code: 'imports_open',
        message: expect.stringContaining('still being read'),
      });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(await one.stored()).toHaveLength(3);
      const typed = await one.user.agent
        .post(one.path)
        .send({ lines: ['a@x.example'] })
        .expect(429);
      expect(typed.body.code).toBe('imports_open');
    } finally {
      await app.nest.get('BullQueue_imports', { strict: false }).resume(true);
    }
  });

  it('has a daily import limit in bytes, over all instances and restarts', async () => {
    const tight = await startApp({ beside: app, env: { IMPORT_DAILY_MB: '1' } });
    try {
      const one = await importer({}, tight);
      const file = Array.from({ length: 1_000 }, (_, n) => `q${n}@x.example,${'Vendor '.repeat(90)}`).join('\n');
      await one.ended((await one.start(file).expect(202)).body.id as string);
      const again = await one.start(file).expect(429);
      expect(again.body).toMatchObject({ code: 'import_quota', message: expect.stringContaining('1 MB a day') });
      expect(Number(again.headers['retry-after'])).toBeLessThanOrEqual(86_400);
      expect(await one.stored()).toHaveLength(1);
      await query(`update import_usage set day = day - 1 where user_id = ?`, [one.user.id]);
      await one.start(file).expect(202);
    } finally {
      await tight.close();
    }
  });

  it('that is not verified can import few lines, with a message that says what to do', async () => {
    const one = await importer({ verified: false });
    const wide = await one.start('a@x.example\n'.repeat(100_001)).expect(403);
    expect(wide.body).toMatchObject({ code: 'email_unverified', message: expect.stringContaining('100,000 lines') });
    const large = await one.start(Buffer.alloc(11 * 1024 * 1024, 'x')).expect(403);
    expect(large.body.message).toContain('10 MB a day');
    expect(await one.stored()).toEqual([]);
  });

  it('stores nothing of an aborted upload, or of one whose process died', async () => {
    const one = await importer();
    const { accessToken } = (
      await app.http().post('/api/auth/token').send({ email: one.user.email, password: PASSWORD }).expect(200)
    ).body;
    const { port } = new URL(app.url);
    const socket = createConnection(Number(port), '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(
      `POST ${one.path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${accessToken}\r\nContent-Type: text/csv\r\nContent-Length: 2000000\r\n\r\n${lines(20_000)}`,
    );
    await until(async () => (await one.stored()).length > 0);
    await until(
      async () =>
        (
          await query(
            `select position from contact_import_chunks c join contact_imports i on i.id = c.import_id where i.email_list_id = ?`,
            [one.list],
          )
        ).length > 0,
    );
    socket.destroy();
    await until(async () => (await one.stored()).length === 0);
    await query(
      `insert into contact_imports (email_list_id, user_id, status, subscription_type, lease_until) values (?, ?, 'uploading', 'job-posts', now() - interval '1 second')`,
      [one.list, one.user.id],
    );
    await app.get(ImportSweeper).sweep();
    expect(await one.stored()).toEqual([]);
  });
});
