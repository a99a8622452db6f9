import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { SmtpSink } from '../../kit/sink/smtp-sink.js';
import { freePort } from '../../kit/free-port.js';
import { Instance } from '../../cluster/kit/processes.js';
import { until } from '../../kit/until.js';
import { cloneDatabase, createEmptyDatabase, dropDatabase, grantTo, onServer, urlOf } from './database.js';
import { TcpProxy } from './tcp-proxy.js';
import { RedisServer } from './redis-server.js';
import {
  type Account,
  COMPILED,
  CONNECTIONS,
  JOB_LOCKS,
  SCALED,
  SERVER_LIMITS,
  SMTP_LIMITS,
  type Start,
  TUNING,
} from './world-settings.js';

/**
 * Web and worker processes with a database, a Redis and a mail server that can each be made to fail. Records what was
 * acknowledged.
 */
export class FaultWorld {
  /** The mail server. It does not require a login, and accepts any login unless it is told to refuse. */
  readonly sink = new SmtpSink();
  readonly webs: Instance[] = [];
  readonly workers: Instance[] = [];
  /** Sends that were answered with 202. */
  readonly acknowledged: { id: string; account: Account; addresses: string[] }[] = [];
  /** Figures measured in a run. */
  readonly figures: Record<string, number> = {};
  db: pg.Pool;
  redis: RedisServer;
  toDatabase: TcpProxy;
  private readonly home = mkdtempSync(join(tmpdir(), 'staffcast-faults-'));
  readonly database = `faults_${randomBytes(5).toString('hex')}`;
  private env: Record<string, string> = {};
  private role?: string;
  private stopped = false;

  async start({
    webs = 1,
    workers = 1,
    env = {},
    tuning = {},
    database = 'migrated',
    tablespace,
    role,
  }: Start = {}): Promise<void> {
    this.redis = await RedisServer.start();
    const url = urlOf(this.database);
    this.toDatabase = new TcpProxy({ host: url.hostname, port: Number(url.port) });
    const linked = new URL(url);
    linked.port = String(await this.toDatabase.listen());
    if (role) linked.username = linked.password = role;
    this.env = {
      NODE_ENV: 'test',
      APP_URL: 'http://staffcast.test',
      DATABASE_URL: linked.toString(),
      REDIS_URL: this.redis.url,
      REDIS_PREFIX: this.database,
      SMTP_URL: `${(await this.sink.listen()).replace('//', '//mailer:secret@')}?connections=${CONNECTIONS}`,
      MAIL_FROM: 'no-reply@staffcast.test',
      POSTAL_ADDRESS: '1 Test Street, Springfield',
      JWT_SECRET: randomBytes(32).toString('hex'),
      RATE_LIMITS: 'off',
      RETRY_SCHEDULE: '1,1,1,2,2',
      RETRY_GIVE_UP: '60',
      DRAIN_SECONDS: '0',
      LOG_LEVEL: 'warn',
      DATA_DIR: this.home,
      NODE_OPTIONS: `--import=${SCALED}`,
      NODE_COMPILE_CACHE: COMPILED,
      FAULT_TUNING: JSON.stringify({ ...TUNING, ...tuning }),
      FAULT_JOBS: JSON.stringify(JOB_LOCKS),
      FAULT_SMTP: JSON.stringify(SMTP_LIMITS),
      FAULT_HTTP: JSON.stringify(SERVER_LIMITS),
      ...env,
    };
    if (database === 'empty') await createEmptyDatabase(this.database);
    else await cloneDatabase(this.database, (fresh) => this.migrate(fresh), tablespace);
    if (role) await grantTo((this.role = role), this.database);
    this.db = new pg.Pool({ connectionString: url.toString(), max: 3 });
    this.db.on('error', () => undefined);
    await Promise.all([
      ...Array.from({ length: webs }, () => this.addWeb()),
      ...Array.from({ length: workers }, () => this.addWorker()),
    ]);
    await Promise.all([...this.webs, ...this.workers].map((one) => one.ready()));
  }

  /** @param log file descriptor for the instance's output; kept in memory if absent */
  addWeb = (extra: Record<string, string> = {}, log?: number): Promise<Instance> =>
    this.add('web', this.webs, extra, log);
  addWorker = (extra: Record<string, string> = {}, log?: number): Promise<Instance> =>
    this.add('worker', this.workers, extra, log);

  /** Kills one backend process of PostgreSQL, which makes the server drop all connections, roll back and recover. */
  async crashDatabase(): Promise<void> {
    const {
      rows: [server],
    } = await this.db.query<{ pid: number }>('select pg_backend_pid() as pid');
    if (!readFileSync(`/proc/${server!.pid}/cmdline`, 'utf8').includes(this.database))
      throw new Error('the database does not run on this machine');
    process.kill(server!.pid, 'SIGKILL');
    await until('PostgreSQL is back', () =>
      this.db.query('select 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Kills a process with SIGKILL and starts another one. */
  async replace(instance: Instance): Promise<Instance> {
    const isWeb = this.webs.includes(instance);
    const group = isWeb ? this.webs : this.workers;
    await instance.stop('SIGKILL');
    group.splice(group.indexOf(instance), 1);
    return isWeb ? this.addWeb() : this.addWorker();
  }

  async account(dailyLimit: string | null = '1000'): Promise<Account> {
    const email = `u${randomBytes(5).toString('hex')}@sender.test`;
    const answer = await this.post('/api/auth/register', {
      email,
      password: 'correct horse battery',
      firstName: 'Ann',
      lastName: 'Kumar',
      role: 'recruiter',
    });
    if (answer.status !== 201) throw new Error(`registering: ${answer.status} ${await answer.text()}`);
    const { user } = (await answer.json()) as { user: { id: string } };
    await this.db.query('update auth_credentials set is_verified = true, verified_at = now() where user_id = $1', [
      user.id,
    ]);
    if (dailyLimit !== null)
      await this.db.query('update users set custom_daily_limit = $2 where id = $1', [user.id, dailyLimit]);
    return {
      id: user.id,
      email,
      cookie: answer.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; '),
    };
  }

  async list(account: Account, addresses: string[]): Promise<string> {
    const { rows } = await this.db.query<{ id: string }>(
      `insert into email_lists (name, slug, owner_id) values ('Java people', 's-' || gen_random_uuid(), $1) returning id`,
      [account.id],
    );
    await this.db.query(
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
       select e, e, sha256(e::bytea), 'job-posts', true, now(), rtrim(translate(encode(sha256((e || $2)::bytea), 'base64'), '+/', '-_'), '='), $2::uuid, 'none' from unnest($1::text[]) e`,
      [addresses, rows[0]!.id],
    );
    return rows[0]!.id;
  }

  /** Makes a call that no other helper covers. */
  call(
    method: string,
    path: string,
    account: Account,
    { body, web = this.webs[0]! }: { body?: unknown; web?: Instance } = {},
  ): Promise<Response> {
    return fetch(web.url + path, {
      method,
      body: body === undefined ? undefined : JSON.stringify(body),
      signal: AbortSignal.timeout(30_000),
      headers: { Cookie: account.cookie, ...(body !== undefined && { 'Content-Type': 'application/json' }) },
    });
  }

  post(
    path: string,
    body: unknown,
    {
      account,
      web = this.webs[0]!,
      timeoutMs = 30_000,
      key,
    }: { account?: Account; web?: Instance; timeoutMs?: number; key?: string } = {},
  ): Promise<Response> {
    return fetch(web.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'Content-Type': 'application/json',
        ...(account && { Cookie: account.cookie }),
        ...(key && { 'Idempotency-Key': key }),
      },
    });
  }

  get(path: string, account: Account, web = this.webs[0]!): Promise<Response> {
    return fetch(web.url + path, { headers: { Cookie: account.cookie }, signal: AbortSignal.timeout(20_000) });
  }

  mail = (listId: string, subject = `Java developer ${randomUUID().slice(0, 8)}`) => ({
    emailListIds: [listId],
    subject,
    content: 'Hello,\nare you free?',
    emailType: 'job-post',
  });

  /** Starts a send, which the product must accept. */
  async send(account: Account, addresses: string[], web?: Instance): Promise<string> {
    const answer = await this.post('/api/send-email', this.mail(await this.list(account, addresses)), { account, web });
    if (answer.status !== 202) throw new Error(`sending: ${answer.status} ${await answer.text()}`);
    const { id } = (await answer.json()) as { id: string };
    this.acknowledged.push({ id, account, addresses });
    return id;
  }

  /** Waits until every acknowledged send has ended. All must end without help from the test. */
  async settled(limitMs?: number): Promise<void> {
    const since = Date.now();
    await until(
      'every send has ended',
      async () => {
        const found = await this.db
          .query(`select 1 from email_history where status = 'pending' limit 1`)
          .catch(() => undefined);
        return found?.rowCount === 0;
      },
      limitMs,
    ).catch(async (error: unknown) => {
      const { rows } = await this.db.query(
        `select status, transmitting, count(*)::int as n, min(lease_until - now()) as lease, min(next_attempt_at - now()) as next from email_delivery_logs group by 1, 2`,
      );
      throw new Error(
        `${(error as Error).message}: ${JSON.stringify(rows)}\n${[...this.workers].map((one) => one.output.slice(-2000)).join('\n')}`,
      );
    });
    this.figures.settledMs = Date.now() - since;
  }

  copiesOf = (address: string): number => this.sink.storedOf(address).length;
  arrived = (name: string): number => this.sink.stored.filter(({ address }) => address.startsWith(name)).length;

  async stop(): Promise<void> {
    if (this.stopped) return;
    this.stopped = true;
    for (const one of [...this.webs, ...this.workers]) one.signal('SIGCONT');
    await Promise.all([...this.webs, ...this.workers].map((one) => one.stop('SIGKILL')));
    await this.redis?.kill();
    this.toDatabase?.close();
    await this.sink.close();
    await this.db?.end();
    await dropDatabase(this.database);
    if (this.role) await onServer(async (client) => void (await client.query(`drop role ${this.role}`)));
    rmSync(this.home, { recursive: true, force: true });
  }

  private async add(
    role: 'web' | 'worker',
    group: Instance[],
    extra: Record<string, string>,
    log?: number,
  ): Promise<Instance> {
    const port = await freePort();
    const instance = new Instance(
      `${role}${group.length + 1}`,
      port,
      { ...this.env, ROLE: role, [role === 'web' ? 'PORT' : 'WORKER_PORT']: String(port), ...extra },
      [],
      log,
    );
    group.push(instance.start());
    return instance;
  }

  /** Migrates the database by starting a web process. */
  private async migrate(url: URL): Promise<void> {
    const web = await this.addWeb({ DATABASE_URL: url.toString() });
    await web.ready();
    await web.stop('SIGTERM');
    this.webs.splice(0);
  }
}
