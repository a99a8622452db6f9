import { type BeforeApplicationShutdown, Logger } from '@nestjs/common';
import { type HandlesJob, JobHandler } from '../../../../shared/jobs/job-handler.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { AttestedImports } from '../../admin/attested-imports.service.js';
import { ImportFailures } from './import-failures.service.js';
import { ImportScheduler } from './import-scheduler.service.js';
import { CheckStage } from './check-stage.js';
import { type ClaimedImport, ClaimLost, MAX_ATTEMPTS, type SliceClock, type SliceEnd } from './claimed-import.js';
import { CommitStage } from './commit-stage.js';
import { ReadStage, UnreadableFile } from './read-stage.js';
import { UndoStage } from './undo-stage.js';

/**
 * Time slice in milliseconds, after which the worker picks the next account's import. A small import goes through all
 * its stages in one slice.
 */
const SLICE_MS = 1_000;

/**
 * Runs imports in time slices, stage by stage, with constant memory. After each slice the longest-waiting account is
 * served, so an import waits for one slice of each other account, never for whole files.
 */
@JobHandler('imports', 1)
export class ImportRunner implements HandlesJob<'imports'>, BeforeApplicationShutdown {
  private readonly log = new Logger(ImportRunner.name);
  private running: Promise<void> = Promise.resolve();
  private isStopping = false;

  constructor(
    private readonly jobs: JobQueue,
    private readonly attested: AttestedImports,
    private readonly scheduler: ImportScheduler,
    private readonly reading: ReadStage,
    private readonly check: CheckStage,
    private readonly commit: CommitStage,
    private readonly undo: UndoStage,
    private readonly ends: ImportFailures,
  ) {}

  /** The job is only a hint; the scheduler picks the next import in the database. */
  handle(): Promise<void> {
    if (this.isStopping) return Promise.resolve();
    this.running = this.drain();
    return this.running;
  }

  /** Waits until the current batch is committed; another worker resumes after it. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.running.catch(() => undefined);
  }

  private async drain(): Promise<void> {
    while (!this.isStopping) {
      const held = this.reading.held();
      const slice = await this.scheduler.next(held);
      await this.reading.closeOthers(held);
      if (!slice) break;
      const importId = slice.kind === 'file' ? slice.claimed.id : slice.importId;
      await (slice.kind === 'file' ? this.work(slice.claimed) : this.carryOut(importId));
      if (this.isStopping) await this.requeue(importId);
    }
    // Other workers have to read the open files from the beginning.
    if (this.isStopping)
      for (const importId of await this.reading.closeAll()) {
        await this.scheduler.giveBack(importId);
        await this.requeue(importId);
      }
  }

  private async requeue(importId: string): Promise<void> {
    await this.jobs.enqueue('imports', { importId }, { jobId: `${importId}:after:${process.pid}` });
  }

  private async carryOut(importId: string): Promise<void> {
    try {
      await this.attested.carryOutPart(importId);
    } finally {
      await this.scheduler.release(importId);
    }
  }

  private async work(first: ClaimedImport): Promise<void> {
    const until = Date.now() + SLICE_MS;
    const clock: SliceClock = { isOver: () => this.isStopping || Date.now() >= until };
    let claimed: ClaimedImport | undefined = first;
    while (claimed && (await this.stage(claimed, clock)))
      claimed = clock.isOver() ? undefined : await this.scheduler.goOn(claimed.id);
  }

  /** Works on one stage. @returns true if the stage ended and another may follow, which is never so after commit */
  private async stage(claimed: ClaimedImport, clock: SliceClock): Promise<boolean> {
    try {
      const end = await this.slice(claimed, clock);
      if (end === 'no addresses') await this.ends.failWithoutAddresses(claimed);
      else if (end === 'lost') await this.ends.readAgain(claimed);
      // An import with an open file stays claimed, because no other worker can continue in the middle of the file.
      else if (!(claimed.stage === 'read' && end === 'more')) await this.scheduler.release(claimed.id, claimed.run);
      if (claimed.stage !== 'commit' || end !== 'ended') return end === 'ended';
    } catch (error) {
      await this.reading.close(claimed.id);
      if (error instanceof ClaimLost) return false;
      if (error instanceof UnreadableFile) {
        await this.ends.failUnreadable(claimed, error.message);
        return false;
      }
      this.log.error(
        { err: error, importId: claimed.id, code: 'import_failed', stage: claimed.stage, attempt: claimed.attempts },
        'an import was interrupted',
      );
      await this.ends.retryLater(claimed, error, claimed.attempts >= MAX_ATTEMPTS);
    }
    await this.jobs.kick('opt-in');
    return false;
  }

  private slice(claimed: ClaimedImport, clock: SliceClock): Promise<SliceEnd | 'no addresses'> {
    switch (claimed.stage) {
      case 'read':
        return this.reading.slice(claimed, clock);
      case 'check':
        return this.check.slice(claimed, clock);
      case 'commit':
        return this.commit.slice(claimed, clock);
      case 'undo':
        return this.undo.slice(claimed, clock);
    }
  }
}
