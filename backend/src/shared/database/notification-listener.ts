import type { MikroORM } from '@mikro-orm/postgresql';
import type { Notification, PoolClient } from 'pg';

const LONGEST_PAUSE_MS = 5_000;
/** After so long without an answer a connection counts as gone. */
const UNANSWERED_MS = 10_000;

/** What a NotificationListener tells its owner. */
export interface NotificationHandlers {
  /** A notification of the channel. */
  heard(payload: string): void;
  /** The connection listens from `since` on (performance.now()). What was notified before was missed. */
  listening(since: number): void;
  /** Asked and answered: everything committed before `since` has been told. */
  alive?(since: number): void;
  /** The connection is gone; it is opened again. */
  lost?(error: unknown, isFirst: boolean): void;
}

/**
 * Listens to one channel of PostgreSQL's notifications, on a connection of its own out of the pool, and opens it again with exponential
 * backoff. A connection counts as alive only while it answers.
 */
export class NotificationListener {
  private client?: PoolClient;
  private keepAlive?: NodeJS.Timeout;
  private again?: NodeJS.Timeout;
  private failures = 0;
  /** When the question was asked that has no answer yet. */
  private askedAt?: number;
  private stopped = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly channel: string,
    private readonly handlers: NotificationHandlers,
    private readonly keepAliveMs = 1_000,
  ) {}

  /** Failed connections since the last one that stood. */
  get failed(): number {
    return this.failures;
  }

  start(): void {
    void this.connect();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.again);
    this.release();
  }

  private async connect(): Promise<void> {
    try {
      const pool = await this.orm.em.getConnection().getNativeClient();
      const client = (await pool.connect()) as unknown as PoolClient;
      if (this.stopped) return client.release(true);
      this.client = client;
      client.on('notification', ({ payload }: Notification) => this.handlers.heard(payload ?? ''));
      client.once('end', () => this.lost(client));
      client.on('error', () => this.lost(client));
      const since = performance.now();
      await client.query(`listen ${this.channel}`);
      this.handlers.listening(since);
      this.failures = 0;
      this.keepAlive = setInterval(() => void this.ask(client), this.keepAliveMs).unref();
    } catch (error) {
      this.retry(error);
    }
  }

  /** What was committed before the question is told before its answer. A connection that a firewall dropped answers nothing and ends only after minutes. */
  private async ask(client: PoolClient): Promise<void> {
    const since = performance.now();
    if (this.askedAt !== undefined) return since - this.askedAt > UNANSWERED_MS ? this.lost(client) : undefined;
    this.askedAt = since;
    try {
      await client.query('select 1');
      if (client !== this.client) return;
      this.askedAt = undefined;
      this.handlers.alive?.(since);
    } catch {
      this.lost(client);
    }
  }

  private lost(client: PoolClient): void {
    if (client !== this.client) return;
    this.retry(new Error('the connection ended'));
  }

  private release(): void {
    clearInterval(this.keepAlive);
    this.askedAt = undefined;
    const { client } = this;
    this.client = undefined;
    client?.release(true);
  }

  private retry(error: unknown): void {
    this.release();
    if (this.stopped) return;
    this.failures++;
    this.handlers.lost?.(error, this.failures === 1);
    this.again = setTimeout(() => void this.connect(), Math.min(250 * 2 ** this.failures, LONGEST_PAUSE_MS)).unref();
  }
}
