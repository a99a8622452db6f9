import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import type { Notification, PoolClient } from 'pg';
import { ConsentChanges } from './consent-changes.js';

const CHANNEL = 'consent_changes';
/** How often the connection is tried; a silent one counts as lost after twice that. */
const KEEP_ALIVE_MS = 1_000;
const LONGEST_PAUSE_MS = 5_000;

/**
 * Listens for changes of consent that other processes commit, on one connection, and tells ConsentChanges. While the connection is away
 * nothing is heard: ConsentChanges then has answers asked for again after a second.
 */
@Injectable()
export class ConsentChangeListener implements OnApplicationBootstrap, OnModuleDestroy {
  private readonly log = new Logger(ConsentChangeListener.name);
  private client?: PoolClient;
  private keepAlive?: NodeJS.Timeout;
  private again?: NodeJS.Timeout;
  private failures = 0;
  private stopped = false;

  constructor(
    @Inject(MikroORM) private readonly orm: PostgresORM,
    private readonly changes: ConsentChanges,
  ) {}

  /** Work may start before the connection stands: answers are good for a second until then. */
  onApplicationBootstrap(): void {
    void this.connect();
  }

  onModuleDestroy(): void {
    this.stopped = true;
    clearTimeout(this.again);
    this.lose();
  }

  private async connect(): Promise<void> {
    try {
      const pool = await this.orm.em.getConnection().getNativeClient();
      const client = (await pool.connect()) as unknown as PoolClient;
      if (this.stopped) return client.release(true);
      this.client = client;
      client.on('notification', ({ payload }: Notification) => this.changes.note((payload ?? '').split(' ')));
      client.once('end', () => this.lost(client));
      client.on('error', () => this.lost(client));
      const since = performance.now();
      await client.query(`listen ${CHANNEL}`);
      this.heardAt(since);
      this.changes.noteAll();
      if (this.failures > 0) this.log.log({ code: 'consent_changes_heard' }, 'changes of consent are heard again');
      this.failures = 0;
      this.keepAlive = setInterval(() => void this.ask(client), KEEP_ALIVE_MS).unref();
    } catch (error) {
      this.failed(error);
    }
  }

  /** What was committed before the question is told before its answer. */
  private async ask(client: PoolClient): Promise<void> {
    const since = performance.now();
    this.changes.prune(since);
    try {
      await client.query('select 1');
      if (client === this.client) this.heardAt(since);
    } catch {
      this.lost(client);
    }
  }

  private heardAt(time: number): void {
    this.changes.listeningUntil(time + 2 * KEEP_ALIVE_MS);
  }

  private lost(client: PoolClient): void {
    if (client !== this.client) return;
    this.lose();
    if (!this.stopped) this.failed(new Error('the connection ended'));
  }

  private lose(): void {
    clearInterval(this.keepAlive);
    const { client } = this;
    this.client = undefined;
    this.changes.listeningUntil(-Infinity);
    client?.release(true);
  }

  private failed(error: unknown): void {
    if (this.stopped) return;
    this.lose();
    if (this.failures++ === 0) this.log.warn({ err: error, code: 'consent_changes_unheard' }, 'changes of consent are not heard; consent is asked for again every second');
    this.again = setTimeout(() => void this.connect(), Math.min(250 * 2 ** this.failures, LONGEST_PAUSE_MS)).unref();
  }
}
