import { Logger } from '@nestjs/common';
import { Interval } from '@nestjs/schedule';
import { type HandlesJob, JobHandler } from '../../../../shared/jobs/job-handler.js';
import { FileScans } from './file-scans.service.js';

/** Number of files that one worker scans at a time. */
const CONCURRENT_SCANS = 2;
/** Interval between two sweeps for due scans. */
const SWEEP_MS = 60_000;

/** Scans uploaded files. */
@JobHandler('file-scans', CONCURRENT_SCANS)
export class FileScanWorker implements HandlesJob<'file-scans'> {
  private readonly log = new Logger(FileScanWorker.name);

  constructor(private readonly scans: FileScans) {}

  async handle({ fileId }: { fileId: string }): Promise<void> {
    await this.scans
      .scan(fileId)
      .catch((error: unknown) =>
        this.log.warn(
          { err: error, fileId, code: 'file_unscanned' },
          'a file could not be scanned; the next sweep tries again',
        ),
      );
  }

  @Interval(SWEEP_MS)
  async sweep(): Promise<void> {
    await this.scans
      .requestDue()
      .catch((error: unknown) =>
        this.log.warn({ err: error, code: 'file_scans_unread' }, 'files to scan could not be read'),
      );
  }
}
