import { MikroORM } from '@mikro-orm/core';
import type { MikroORM as PostgresORM } from '@mikro-orm/postgresql';
import { Inject, Injectable } from '@nestjs/common';
import { HealthIndicatorService } from '@nestjs/terminus';
import { migrations } from '../../../migrations/index.js';
import { AppError } from '../errors/app-error.js';
import { rows } from '../database/queries/rows.js';
import { JobQueue } from '../jobs/job-queue.js';
import { Lifecycle } from '../lifecycle/lifecycle.js';
import type { HealthDto } from './health.dto.js';

const CHECK_TIMEOUT_MS = 1000;

/** Checks whether this instance can serve requests. Reveals only the names of the failing parts. */
@Injectable()
export class Readiness {
  constructor(
    @Inject(MikroORM) private readonly orm: PostgresORM,
    private readonly jobs: JobQueue,
    private readonly indicators: HealthIndicatorService,
    private readonly lifecycle: Lifecycle,
  ) {}

  /**
   * Also fails once the process was told to stop, so that the load balancer sends no more requests.
   * @throws 503 `not_ready` with the failing parts
   */
  async check(): Promise<HealthDto> {
    if (this.lifecycle.stopping) throw notReady(['process']);
    const parts = await Promise.all([
      this.look('database', () => rows(this.orm.em.fork(), 'select 1')),
      this.look('queue', () => this.jobs.queue('system-mail').client.ping()),
      this.look('migrations', () => this.requireMigrations()),
    ]);
    const failing = parts.filter(([, status]) => status !== 'up').map(([name]) => name);
    if (failing.length > 0) throw notReady(failing);
    return { status: 'ok', parts: Object.fromEntries(parts) };
  }

  private async look(name: string, work: () => Promise<unknown>): Promise<[string, string]> {
    const result = await this.indicators
      .check(name)
      .attempt(async () => void (await work()))
      .withTimeout(CHECK_TIMEOUT_MS);
    return [name, result[name]!.status];
  }

  private async requireMigrations(): Promise<void> {
    const done = await rows<{ name: string }>(this.orm.em.fork(), 'select name from mikro_orm_migrations');
    const names = new Set(done.map((row) => row.name));
    if (!migrations.every((migration) => names.has(migration.name))) throw new Error('migrations are pending');
  }
}

const notReady = (parts: string[]): AppError =>
  new AppError('not_ready', 503, `Not ready: ${parts.join(', ')}`, {
    details: parts.map((field) => ({ field, message: 'down' })),
    headers: { 'Retry-After': '5' },
  });
