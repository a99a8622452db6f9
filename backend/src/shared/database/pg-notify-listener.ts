import type { MikroORM } from '@mikro-orm/postgresql';
import { Logger } from '@nestjs/common';
import type { Notification, PoolClient } from 'pg';

const MAX_PAUSE_MS = 5_000;
/** A connection that does not answer a probe for this time, in milliseconds, counts as lost. */
const UNANSWERED_MS = 10_000;

/** Callbacks of a PgNotifyListener. */
export interface PgNotifyHandlers {
  /** A notification arrived. */
  heard(payload: string): void;
  /** Notifications are received since `since` (performance.now()); earlier ones were missed. */
  listening(since: number): void;
  /** The server answered a probe. Every notification that was committed before `since` has been delivered. */
  alive?(since: number): void;
  /** The connection is lost and is being reopened. */
  lost?(error: unknown): void;
}

/**
 * Listens to one PostgreSQL notification channel on a connection that it keeps for itself, and reconnects with
 * exponential backoff. A connection that stops answering probes counts as lost. Logs a lost connection with the code
 * `<channel>_unheard` and a restored one with `<channel>_heard`.
 */
export class PgNotifyListener {
  private readonly log = new Logger(PgNotifyListener.name);
  private client?: PoolClient;
  private keepAlive?: NodeJS.Timeout;
  private again?: NodeJS.Timeout;
  private failures = 0;
  /** Start time of the unanswered probe. */
  private askedAt?: number;
  private stopped = false;

  constructor(
    private readonly orm: MikroORM,
    private readonly channel: string,
    private readonly handlers: PgNotifyHandlers,
    /** What the loss of the connection means for the product, for the log. */
    private readonly effect: string,
    private readonly keepAliveMs = 1_000,
  ) {}

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
      if (this.failures > 0)
        this.log.log({ code: `${this.channel}_heard` }, `the listener for ${this.channel} is connected again`);
      this.failures = 0;
      this.keepAlive = setInterval(() => void this.ask(client), this.keepAliveMs).unref();
    } catch (error) {
      this.retry(error);
    }
  }

  /**
   * Sends a probe. PostgreSQL delivers all earlier notifications before the answer. Without probes, a connection that a
   * firewall dropped would look open for minutes.
   */
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
    this.handlers.lost?.(error);
    if (this.failures === 1)
      this.log.warn(
        { err: error, code: `${this.channel}_unheard` },
        `the listener for ${this.channel} is disconnected; ${this.effect}`,
      );
    this.again = setTimeout(() => void this.connect(), Math.min(250 * 2 ** this.failures, MAX_PAUSE_MS)).unref();
  }
}
