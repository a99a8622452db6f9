import { generateKeyPairSync } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { SinkProcess } from '../bench/processes.js';
import { Cluster, METRICS_TOKEN } from '../test/cluster/kit/cluster.js';
import { type Instance } from '../test/cluster/kit/processes.js';
import { until } from '../test/kit/until.js';

const DKIM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;
const READS = ['/api/email-lists?limit=20', '/api/email-history?limit=20', '/api/auth/user', '/api/dashboard/stats'];
const READERS = 10;

/**
 * Whether processes are pinned to cores: the product and its database to core 0, this process and the sink to core 1.
 * Set by LOAD_PINNED=1; requires taskset.
 */
export const PINNED =
  process.env.LOAD_PINNED === '1' &&
  availableParallelism() >= 1 &&
  spawnSync('taskset', ['-c', '0', 'true']).status === 0;

export type LoadUser = Awaited<ReturnType<Cluster['user']>>;

/** Metrics that an instance reports. */
export interface Vitals {
  rss: number;
  cpuSeconds: number;
  /** p99 of the event loop's delay since the last scrape, in ms. */
  loopDelay: number;
  handles: number;
}

/** Two web instances behind nginx, a worker, and a sink that counts the signed mails it receives. */
export class Stage {
  private readonly readers: { email: string; headers: { cookie: string } }[] = [];

  private constructor(
    readonly cluster: Cluster,
    readonly sink: SinkProcess,
  ) {}

  static async open(env: Record<string, string> = {}): Promise<Stage> {
    const cluster = new Cluster({ workers: 1, prefix: PINNED ? ['taskset', '-c', '0'] : [] });
    const sink = await SinkProcess.start();
    await cluster.start({
      LOG_LEVEL: 'warn',
      SMTP_URL: sink.url,
      DKIM_DOMAIN: 'staffcast.test',
      DKIM_SELECTOR: 'load',
      DKIM_PRIVATE_KEY: DKIM,
      RETRY_SCHEDULE: '5',
      // The same flags as in the container image.
      NODE_OPTIONS: '--enable-source-maps --max-old-space-size=384',
      ...env,
    });
    return new Stage(cluster, sink);
  }

  get url(): string {
    return this.cluster.lb.url;
  }

  get worker(): Instance {
    return this.cluster.workers[0]!;
  }

  /** A verified sender without a daily limit. */
  async user(): Promise<LoadUser> {
    const user = await this.cluster.user();
    await this.cluster.db.query(`update users set custom_daily_limit = '100000' where id = $1`, [user.id]);
    await this.cluster.db.query('delete from system_mails');
    return user;
  }

  async list(user: LoadUser, contacts: number): Promise<string> {
    const id = await this.cluster.list(user.id, contacts);
    await this.cluster.db.query('analyze subscriptions');
    return id;
  }

  /** Reads that the web app makes, for ten users with lists and sends of their own. */
  async reads(): Promise<{ path: string; headers: Record<string, string> }[]> {
    const readers = await Promise.all(Array.from({ length: READERS }, () => this.user()));
    for (const { id, email, agent, cookie } of readers) {
      this.readers.push({ email, headers: { cookie } });
      const lists = [await this.cluster.list(id, 5), await this.cluster.list(id, 20)];
      await agent
        .post('/api/send-email')
        .send({ emailListIds: lists, subject: 'Earlier', content: 'Hello', emailType: 'job-post' })
        .expect(202);
    }
    await this.settled();
    return READS.flatMap((path) => this.readers.map(({ headers }) => ({ path, headers })));
  }

  /** Signs the readers in again, for runs longer than a quarter of an hour. */
  async renew(): Promise<void> {
    for (const { email, headers } of this.readers) headers.cookie = await this.cluster.signIn(email);
  }

  async send(user: LoadUser, list: string, subject = 'Load'): Promise<string> {
    const content = `Hello {{firstName}},\n\n${'We are looking for Java people in Austin, on site, for twelve months. '.repeat(12)}\n\nAnn`;
    const { body } = await user.agent
      .post('/api/send-email')
      .send({ emailListIds: [list], subject: `${subject} ${Math.random()}`, content, emailType: 'job-post' })
      .expect(202);
    return body.id as string;
  }

  /** Cancels a send and waits for the messages in flight. */
  async cancel(user: LoadUser, send: string): Promise<void> {
    await user.agent.post(`/api/email-history/${send}/cancel`);
    await this.settled();
  }

  /** Waits until no message is queued or in flight. */
  async settled(limitMs = 120_000): Promise<void> {
    await until(
      'what was sent before has ended',
      async () =>
        (
          await this.cluster.db.query(
            `select 1 from email_delivery_logs where status in ('queued', 'sending', 'deferred') limit 1`,
          )
        ).rowCount === 0 &&
        (await this.cluster.db.query(`select 1 from email_history where status = 'pending' limit 1`)).rowCount === 0,
      limitMs,
    );
  }

  async seen(messages: number): Promise<void> {
    await until(
      `the sink has ${messages} messages`,
      async () => (await this.sink.counts()).messages >= messages,
      180_000,
    );
  }

  /**
   * Compares the mail sink with the delivery log of a send: the sink must have received each message that the log calls
   * sent exactly once, and no other message.
   * @returns a description of the difference; undefined if there is none
   */
  async fault(send: string): Promise<string | undefined> {
    const { rows } = await this.cluster.db.query<{ status: string; n: number }>(
      'select status, count(*)::int as n from email_delivery_logs where history_id = $1 group by 1',
      [send],
    );
    const logged = Object.fromEntries(rows.map(({ status, n }) => [status, n]));
    const { distinct, extraCopies } = await this.sink.counts();
    if (distinct === (logged.sent ?? 0) && extraCopies === 0 && !logged.queued && !logged.sending && !logged.deferred)
      return undefined;
    return `sink ${distinct} and ${extraCopies} twice, log ${JSON.stringify(logged)}`;
  }

  async vitals(instance: Instance): Promise<Vitals> {
    const answer = await fetch(`${instance.url}/api/metrics`, {
      headers: { Authorization: `Bearer ${METRICS_TOKEN}` },
    });
    const text = await answer.text();
    const value = (name: string): number =>
      Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)`, 'm').exec(text)?.[1] ?? NaN);
    return {
      rss: value('process_resident_memory_bytes') / 2 ** 20,
      cpuSeconds: value('process_cpu_seconds_total'),
      loopDelay: value('nodejs_eventloop_lag_p99_seconds') * 1000,
      handles: value('process_open_fds'),
    };
  }

  async close(): Promise<void> {
    await this.cluster.stop();
    this.sink.stop();
  }
}
