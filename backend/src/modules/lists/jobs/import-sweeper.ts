import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { rows } from '../../../shared/database/rows.js';
import { SingleRunner } from '../../../shared/database/single-runner.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';

const SWEEP_MS = 15_000;

/** Finds imports whose job or worker was lost, admins' decisions that were not carried out to the end, and uploads that never ended. */
@Injectable()
export class ImportSweeper {
  private readonly log = new Logger(ImportSweeper.name);

  constructor(
    @Inject(MikroORM) private readonly orm: MikroORM,
    private readonly em: EntityManager,
    private readonly runner: SingleRunner,
    private readonly jobs: JobQueue,
  ) {}

  @Interval(SWEEP_MS)
  @CreateRequestContext<ImportSweeper>((sweeper) => sweeper.orm)
  async sweep(): Promise<void> {
    try {
      await this.runner.run('lists.imports', () => this.requeue());
    } catch (error) {
      this.log.error({ err: error, code: 'import_sweep_failed' }, 'the imports could not be swept');
    }
  }

  private async requeue(): Promise<void> {
    await rows(this.em, `delete from contact_imports where status = 'uploading' and coalesce(lease_until, created_at + interval '6 hours') < now()`);
    const open = await rows<{ id: string }>(
      this.em,
      `select id from contact_imports where status = 'queued' or (status = 'running' and (lease_until is null or lease_until < now())) order by created_at limit 1000`,
    );
    const decided = await rows<{ id: string }>(this.em, `select id from contact_imports where decided_at is not null and carried_out_at is null limit 1000`);
    await this.jobs.enqueueAll('imports', decided.map(({ id }) => ({ payload: { importId: id }, jobId: `decided:${id}` })));
    await this.jobs.enqueueAll('imports', open.map(({ id }) => ({ payload: { importId: id }, jobId: id })));
  }
}
