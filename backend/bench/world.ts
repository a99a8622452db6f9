import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { createDatabase } from '../test/kit/database.js';
import { CONTENT, LIST_NAME, type SentText, SUBJECT } from './message.js';
import { processorTimeOf, WORKER } from './machine.js';
import { freePort } from './processes.js';

const FIFTY_DOMAINS = Array.from({ length: 50 }, (_, i) => `people${i}.test`);

/** A database with one user, and the environment of the product's processes. */
export class World {
  private cookies = '';
  private constructor(
    readonly db: pg.Pool,
    readonly env: Record<string, string>,
    private readonly drop: () => Promise<void>,
  ) {}

  userId = '';

  static async create(smtpUrl: string, extra: Record<string, string> = {}): Promise<World> {
    const database = await createDatabase();
    const db = new pg.Pool({ connectionString: database.url, max: 2 });
    db.on('error', () => undefined);
    await db.query('create extension if not exists pg_stat_statements').catch(() => undefined);
    await db.query(
      `do $$ begin create role ${WORKER} superuser login password '${WORKER}'; exception when duplicate_object then null; end $$`,
    );
    const port = await freePort();
    const env = {
      NODE_ENV: 'development',
      PORT: String(port),
      APP_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: database.url,
      REDIS_URL: process.env.TEST_REDIS_URL!,
      REDIS_PREFIX: `bench-${randomBytes(4).toString('hex')}`,
      SMTP_URL: smtpUrl,
      MAIL_FROM: 'no-reply@bench.test',
      POSTAL_ADDRESS: '1 Bench Street',
      JWT_SECRET: 'bench-0123456789abcdef0123456789abcdef',
      RATE_LIMITS: 'off',
      LOG_LEVEL: 'error',
      DATA_DIR: mkdtempSync(join(tmpdir(), 'staffcast-bench-')),
      RETRY_SCHEDULE: '5',
      ...extra,
    };
    return new World(db, env, database.drop);
  }

  async register(): Promise<void> {
    ({ userId: this.userId, cookies: this.cookies } = await this.newAccount());
  }

  /**
   * Creates another account that may send without limit.
   * @returns its id, cookies and calls
   */
  async account(): Promise<{ userId: string; cookies: string; call: World['call'] }> {
    const { userId, cookies } = await this.newAccount();
    return { userId, cookies, call: (method, path, body, type) => this.callAs(cookies, method, path, body, type) };
  }

  call = (method: string, path: string, body?: unknown, type?: string): Promise<Response> =>
    this.callAs(this.cookies, method, path, body, type);

  /** Headers of the bench account's requests. */
  get headers(): Record<string, string> {
    return { Cookie: this.cookies };
  }

  private async newAccount(): Promise<{ userId: string; cookies: string }> {
    const answer = await this.callAs('', 'POST', '/api/auth/register', {
      email: `u${randomUUID()}@sender.test`,
      password: 'correct horse battery',
      firstName: 'Ann',
      lastName: 'Kumar',
      role: 'recruiter',
    });
    const cookies = answer.headers
      .getSetCookie()
      .map((line) => line.split(';')[0])
      .join('; ');
    const userId = ((await answer.json()) as { user: { id: string } }).user.id;
    await this.db.query(`update auth_credentials set is_verified = true, verified_at = now() where user_id = $1`, [
      userId,
    ]);
    // The verification mail must not be counted among the measured messages.
    await this.db.query('delete from system_mails');
    await this.db.query(`update users set custom_daily_limit = '1000000', agency_name = 'Acme' where id = $1`, [
      userId,
    ]);
    return { userId, cookies };
  }

  private async callAs(
    cookies: string,
    method: string,
    path: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<Response> {
    const answer = await fetch(this.env.APP_URL + path, {
      method,
      headers: { ...(body === undefined ? {} : { 'Content-Type': type }), Cookie: cookies },
      body: body === undefined ? undefined : type === 'application/json' ? JSON.stringify(body) : (body as string),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer;
  }

  /** Creates a list of confirmed contacts p1…pn at 50 domains. @returns its id */
  list(count: number, name = LIST_NAME, options: { owner?: string; analyze?: boolean } = {}): Promise<string> {
    return this.listOf(count, FIFTY_DOMAINS, name, options);
  }

  /**
   * Creates a list of confirmed contacts. Contact n has the domain at index n modulo the length of `domains`.
   * @returns the list's id
   */
  async listOf(
    count: number,
    domains: readonly string[],
    name: string,
    { owner = this.userId, analyze = true } = {},
  ): Promise<string> {
    const id = randomUUID();
    await this.db.query(`insert into email_lists (id, name, slug, owner_id) values ($1, $2, $3, $4)`, [
      id,
      name,
      `s-${id}`,
      owner,
    ]);
    await this.db.query(
      `insert into subscriptions (email, email_norm, email_hash, name, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
       select e, e, sha256(e::bytea), 'Person Ünique ' || n, 'job-posts', true, now(), rtrim(translate(encode(sha256((e || $2)::bytea), 'base64'), '+/', '-_'), '='), $1, 'none'
       from (select n, 'p' || n || '@' || ($4::text[])[1 + n % cardinality($4::text[])] as e from generate_series(1, $3::int) n) s`,
      [id, id, count, domains],
    );
    if (analyze) await this.db.query('analyze subscriptions');
    return id;
  }

  /** Processor time used so far by the running PostgreSQL processes, in seconds. Needs `findPostmaster`. */
  postgresTime(): number {
    return processorTimeOf(this.postmaster);
  }

  /** Finds the main process of PostgreSQL. Call it before `postgresTime`. */
  async findPostmaster(): Promise<void> {
    const { rows } = await this.db.query<{ dir: string }>(`select current_setting('data_directory') as dir`);
    this.postmaster = Number(readFileSync(join(rows[0]!.dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
  }
  private postmaster = 0;

  /**
   * Starts a send to lists.
   * @returns its id, and the time until the answer in ms
   */
  async send(...lists: string[]): Promise<{ id: string; ms: number }> {
    return this.sendText({ subject: SUBJECT, content: CONTENT }, ...lists);
  }

  /** Like `send`, with another message. */
  async sendText({ subject, ...body }: SentText, ...lists: string[]): Promise<{ id: string; ms: number }> {
    const start = performance.now();
    const answer = await this.call('POST', '/api/send-email', {
      emailListIds: lists,
      subject: `${subject} ${randomUUID().slice(0, 8)}`,
      ...body,
      emailType: 'job-post',
    });
    return { id: ((await answer.json()) as { id: string }).id, ms: performance.now() - start };
  }

  async settled(id: string, limitMs = 900_000): Promise<void> {
    const end = Date.now() + limitMs;
    for (;;) {
      // The query fails while the database restarts, and is then repeated.
      const found = await this.db
        .query<{ status: string }>('select status from email_history where id = $1', [id])
        .catch(() => undefined);
      if (found && found.rows[0]!.status !== 'pending') return;
      if (Date.now() > end) throw new Error('the send did not end');
      await pause(200);
    }
  }

  async statuses(id: string): Promise<Record<string, number>> {
    const { rows } = await this.db.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from email_delivery_logs where history_id = $1 group by 1',
      [id],
    );
    return Object.fromEntries(rows.map((row) => [row.status, row.n]));
  }

  /**
   * Copies rows into the contacts table.
   * @returns rows a second
   */
  async copyRate(count: number): Promise<number> {
    const id = randomUUID();
    await this.db.query(`insert into email_lists (id, name, slug, owner_id) values ($1, 'Copied', $2, $3)`, [
      id,
      `s-${id}`,
      this.userId,
    ]);
    const lines = Array.from({ length: count }, (_, i) => {
      const email = `c${i}@${id.slice(0, 8)}${i % 50}.test`;
      return `${email}\t${email}\t\\\\x${createHash('sha256').update(email).digest('hex')}\tPerson ${i}\tjob-posts\t${randomBytes(32).toString('base64url')}\t${id}\tnone\n`;
    });
    const start = performance.now();
    const client = await this.db.connect();
    try {
      await pipeline(
        Readable.from(lines),
        client.query(
          copyFrom(
            'copy subscriptions (email, email_norm, email_hash, name, subscription_type, unsubscribe_token, email_list_id, opt_in_state) from stdin',
          ),
        ),
      );
    } finally {
      client.release();
    }
    return (count * 1000) / (performance.now() - start);
  }

  /**
   * Runs one bare INSERT … SELECT DISTINCT ON, with a new send id so that it meets no dead rows.
   * @returns rows a second, as the upper bound for an expansion
   */
  async bareLayoutRate(lists: readonly string[], sendId: string): Promise<number> {
    const bare = randomUUID();
    await this.db.query(
      `insert into email_history select (jsonb_populate_record(h, jsonb_build_object('id', $2::text))).* from email_history h where id = $1`,
      [sendId, bare],
    );
    const start = performance.now();
    const { rowCount } = await this.db.query(
      `insert into email_delivery_logs (user_id, history_id, position, contact_id, email_list_id, recipient_email, recipient_name, subject, status)
       select $1, $2, row_number() over (), r.* from (
         select distinct on (c.email_norm) c.id, c.email_list_id, c.email, c.name, 'Subject', 'queued' from subscriptions c
         where c.email_list_id = any ($3::uuid[]) and c.confirmed order by c.email_norm) r`,
      [this.userId, bare, lists],
    );
    return ((rowCount ?? 0) * 1000) / (performance.now() - start);
  }

  /** Environment of a worker, with a separate database role. */
  get workerEnv(): Record<string, string> {
    const url = new URL(this.env.DATABASE_URL!);
    url.username = url.password = WORKER;
    return { ...this.env, DATABASE_URL: url.href };
  }

  /** Number of statements that the worker has run, not counting transaction control. */
  async statements(): Promise<number> {
    const { rows } = await this.db.query<{ n: string }>(
      `select coalesce(sum(calls), 0) as n from pg_stat_statements s join pg_roles r on r.oid = s.userid
       where r.rolname = $1 and s.dbid = (select oid from pg_database where datname = current_database()) and s.toplevel and s.query !~* '^(begin|commit|rollback|set|start)'`,
      [WORKER],
    );
    return Number(rows[0]!.n);
  }

  /** The worker's statements by total time: calls, rows, milliseconds. */
  async statementTable(): Promise<string> {
    const { rows } = await this.db.query<{ line: string }>(
      `select format('%s calls %s rows %s ms (longest %s) %s', calls, rows, round(total_exec_time::numeric), round(max_exec_time::numeric), left(regexp_replace(query, '[[:space:]]+', ' ', 'g'), 110)) as line
       from pg_stat_statements s join pg_roles r on r.oid = s.userid
       where r.rolname = $1 and s.dbid = (select oid from pg_database where datname = current_database()) and s.toplevel order by total_exec_time desc limit 25`,
      [WORKER],
    );
    return rows.map(({ line }) => line).join('\n');
  }

  /** Crashes PostgreSQL: kills one backend, so that the server drops all connections and recovers from its log. */
  async crashDatabase(): Promise<void> {
    const { rows } = await this.db.query<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'client backend' and usename = $1 limit 1`,
      [WORKER],
    );
    process.kill(rows[0]!.pid, 'SIGKILL');
  }

  async close(): Promise<void> {
    await this.db.end();
    await this.drop();
  }
}
