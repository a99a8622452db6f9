import { CreateRequestContext } from '@mikro-orm/decorators/legacy';
import { EntityManager, MikroORM } from '@mikro-orm/postgresql';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { changed, inTransaction, rows } from '../../../../shared/database/queries/rows.js';
import { SingleRunner } from '../../../../shared/database/single-runner.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { deleteStagedRows, forgetFile } from '../import-file.js';
import { HAS_WORK } from './import-scheduler.service.js';

const SWEEP_MS = 15_000;
/** Days for which an unfinished import is kept. */
export const KEPT_DAYS = 7;
/** Maximum number of calls of deleteStagedRows in one sweep. */
const CLEARED_BATCHES = 10;

/**
 * Resumes imports whose job, worker or staged data was lost, and unfinished decisions. Removes abandoned uploads,
 * imports that their users left unfinished, and the staged rows of ended imports.
 */
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
      await this.runner.run('lists.imports', async () => {
        await this.clean();
        await this.requeue();
      });
    } catch (error) {
      this.log.error({ err: error, code: 'import_sweep_failed' }, 'the imports could not be swept');
    }
  }

  private async clean(): Promise<void> {
    await rows(
      this.em,
      `delete from contact_imports where status = 'uploading' and coalesce(lease_until, created_at + interval '6 hours') < now()`,
    );
    await changed(this.em, READ_LOST_AGAIN);
    for (const { id } of await rows<{ id: string }>(this.em, UNFINISHED)) await this.drop(id);
    for (const { id } of await rows<{ id: string }>(this.em, STAGED)) await this.clear(id);
  }

  private async drop(id: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      if ((await changed(em, DROP, [id])) === 0) return;
      await forgetFile(em, id);
    });
  }

  private async clear(id: string): Promise<void> {
    for (let batch = 0; batch < CLEARED_BATCHES; batch += 1)
      if ((await deleteStagedRows(this.em.fork(), id)) === 0) return;
  }

  private async requeue(): Promise<void> {
    const open = await rows<{ id: string }>(
      this.em,
      `select id from contact_imports where ${HAS_WORK} and (lease_until is null or lease_until < now()) order by created_at limit 1000`,
    );
    const decided = await rows<{ id: string }>(
      this.em,
      `select id from contact_imports where decided_at is not null and carried_out_at is null limit 1000`,
    );
    await this.jobs.enqueueAll(
      'imports',
      decided.map(({ id }) => ({ payload: { importId: id }, jobId: `decided:${id}` })),
    );
    await this.jobs.enqueueAll(
      'imports',
      open.map(({ id }) => ({ payload: { importId: id }, jobId: id })),
    );
  }
}

/** SQL condition: the staged rows of the import are no longer needed. */
const HAS_ENDED = `(status in ('done', 'discarded', 'undone') or (status = 'failed' and stage is null))`;

/**
 * Imports with staged rows. A skip scan along the primary key jumps from import to import, so that the cost depends
 * only on the number of such imports.
 */
const STAGED = `
  with recursive staged as (
    (select import_id from contact_import_rows order by import_id limit 1)
    union all
    select (select r.import_id from contact_import_rows r where r.import_id > s.import_id order by r.import_id limit 1) from staged s where s.import_id is not null
  )
  select i.id from staged s join contact_imports i on i.id = s.import_id where ${HAS_ENDED} limit 100`;

/**
 * SQL condition: the import waits for its user, or has failed and can be tried again, and is untouched for KEPT_DAYS.
 */
const IS_UNFINISHED = `(status in ('mapping', 'ready') or (status = 'failed' and stage is not null)) and touched_at < now() - interval '${KEPT_DAYS} days'`;
const UNFINISHED = `select id from contact_imports where ${IS_UNFINISHED} limit 100`;
const DROP = `
  update contact_imports set status = case when status = 'failed' then status else 'discarded' end, stage = null, run = run + 1, finished_at = coalesce(finished_at, now())
  where id = ? and ${IS_UNFINISHED}`;

/**
 * Reads the files of waiting imports again after a crash of the database emptied the staging tables; repeats the check
 * if it was done.
 */
const READ_LOST_AGAIN = `
  update contact_imports i set status = 'reading', stage = 'read', goal = case when status = 'ready' then 'ready' else 'mapping' end, checkpoint = null, run = run + 1
  where status in ('mapping', 'ready') and stage is null and lines > 0 and not exists (select 1 from contact_import_records r where r.import_id = i.id)`;
