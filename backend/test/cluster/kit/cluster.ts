import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import request from 'supertest';
import { MailCatcher } from '../../kit/mail-catcher.js';
import { Balancer } from './balancer.js';
import { freePort } from '../../kit/free-port.js';
import { Instance } from './processes.js';

export const METRICS_TOKEN = 'cluster-metrics-token';
/**
 * Seconds for which nginx avoids an instance that announced its shutdown. nginx counts whole seconds, so the time may
 * be one second longer.
 */
export const FAIL_SECONDS = 3;
export const PASSWORD = 'correct horse battery';

export interface ClusterShape {
  workers?: number;
  /** Command prefix of every process, for example `taskset -c 0`. */
  prefix?: readonly string[];
}

/** Two web instances and two workers on an empty database, behind the load balancer. */
export class Cluster {
  readonly mails = new MailCatcher();
  readonly webs: Instance[] = [];
  readonly workers: Instance[] = [];
  db: pg.Pool;
  lb: Balancer;
  private readonly home = mkdtempSync(join(tmpdir(), 'staffcast-cluster-'));
  readonly database = `cluster_${randomBytes(5).toString('hex')}`;

  constructor(private readonly shape: ClusterShape = {}) {}

  /** Starts all processes at the same time, so that the product itself has to serialise their migrations. */
  async start(extra: Record<string, string> = {}): Promise<void> {
    const base = new URL(process.env.TEST_DATABASE_URL ?? '');
    await this.onServer(`create database ${this.database}`);
    base.pathname = `/${this.database}`;
    this.db = new pg.Pool({ connectionString: base.toString(), max: 4 });
    const [lbPort, ...ports] = await Promise.all(Array.from({ length: 3 + (this.shape.workers ?? 2) }, freePort));
    const env = {
      NODE_ENV: 'test',
      APP_URL: `http://127.0.0.1:${lbPort}`,
      DATABASE_URL: base.toString(),
      REDIS_URL: process.env.TEST_REDIS_URL ?? '',
      REDIS_PREFIX: this.database,
      SMTP_URL: await this.mails.listen(),
      MAIL_FROM: 'no-reply@staffcast.test',
      POSTAL_ADDRESS: '1 Test Street, Springfield',
      JWT_SECRET: randomBytes(32).toString('hex'),
      METRICS_TOKEN,
      TRUST_PROXY: '1',
      DRAIN_SECONDS: '2',
      RETRY_SCHEDULE: '1,1,2,2',
      LOG_LEVEL: 'debug',
      DATA_DIR: this.home,
      ...extra,
    };
    ports.forEach((port, at) => {
      const web = at < 2;
      const instance = new Instance(
        `${web ? 'web' : 'worker'}${(at % 2) + 1}`,
        port,
        { ...env, ROLE: web ? 'web' : 'worker', ...(web ? { PORT: String(port) } : { WORKER_PORT: String(port) }) },
        this.shape.prefix,
      );
      (web ? this.webs : this.workers).push(instance.start());
    });
    await Promise.all(this.all.map((instance) => instance.ready()));
    this.lb = new Balancer(this.home, lbPort!, [this.webs[0]!.port, this.webs[1]!.port], {
      failTimeout: `${FAIL_SECONDS}s`,
      keepAlive: '1s',
      prefix: this.shape.prefix,
    });
    await this.lb.ready();
  }

  get all(): Instance[] {
    return [...this.webs, ...this.workers];
  }

  /** Creates a verified account and signs in through the load balancer. */
  async user(
    headers: Record<string, string> = {},
  ): Promise<{ id: string; email: string; agent: ReturnType<typeof request.agent>; cookie: string }> {
    const email = `u${randomBytes(5).toString('hex')}@sender.test`;
    const agent = request.agent(this.lb.url);
    const answer = await agent
      .post('/api/auth/register')
      .set(headers)
      .send({ email, password: PASSWORD, firstName: 'Ann', lastName: 'Kumar', role: 'recruiter' })
      .expect(201);
    const id = answer.body.user.id as string;
    await this.db.query('update auth_credentials set is_verified = true, verified_at = now() where user_id = $1', [id]);
    await this.db.query(`update users set custom_daily_limit = '100' where id = $1`, [id]);
    return { id, email, agent, cookie: cookieOf(answer) };
  }

  /** Signs in again, because an access cookie that is not renewed expires after 15 minutes. */
  async signIn(email: string): Promise<string> {
    return cookieOf(await request(this.lb.url).post('/api/auth/login').send({ email, password: PASSWORD }).expect(200));
  }

  /** Inserts a list of confirmed contacts by SQL. */
  async list(ownerId: string, count: number, domain = 'people.test'): Promise<string> {
    const { rows } = await this.db.query<{ id: string }>(
      `insert into email_lists (name, slug, owner_id) values ('Java people', 's-' || gen_random_uuid(), $1) returning id`,
      [ownerId],
    );
    const id = rows[0]!.id;
    await this.db.query(
      `insert into subscriptions (email, email_norm, email_hash, subscription_type, confirmed, confirmed_at, unsubscribe_token, email_list_id, opt_in_state)
       select e, e, sha256(e::bytea), 'job-posts', true, now(), rtrim(translate(encode(sha256((e || $2)::bytea), 'base64'), '+/', '-_'), '='), $2::uuid, 'none'
       from (select 'p' || n || '@' || $3 as e from generate_series(1, $1::int) n) people`,
      [count, id, domain],
    );
    return id;
  }

  async stop(): Promise<void> {
    await this.lb?.stop();
    await Promise.all(this.all.map((instance) => instance.stop('SIGKILL')));
    await this.mails.close();
    await this.db?.end();
    await this.onServer(`drop database if exists ${this.database} with (force)`);
    rmSync(this.home, { recursive: true, force: true });
  }

  private async onServer(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: process.env.TEST_DATABASE_URL });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }
}

const cookieOf = (answer: request.Response): string =>
  (answer.headers['set-cookie'] as unknown as string[]).map((line) => line.split(';')[0]).join('; ');
