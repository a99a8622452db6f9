import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { FileStorage } from '../../../../shared/storage/file-storage.js';
import { VirusScanner } from './virus-scanner.js';
import { NIL_UUID } from '../../../../shared/text/formats.js';

/** Maximum number of files for which one sweep requests scans. */
const SCANS_PER_SWEEP = 200;
/** Days after which a file is scanned again, because the scanner's signatures are updated. */
const RESCAN_AFTER_DAYS = 7;

/**
 * Requests and runs virus scans of files. The database tells which scans are due, so a lost job only delays a scan.
 * While the scanner does not answer, states stay unchanged: new files are not served, clean files are.
 */
@Injectable()
export class FileScans {
  /** Id of the last file for which the current round of sweeps has requested a scan. */
  private after = NIL_UUID;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly storage: FileStorage,
    private readonly scanner: VirusScanner,
  ) {}

  /** Requests a scan of one file. */
  async request(fileId: string): Promise<void> {
    if (this.scanner.isOn) await this.jobs.enqueue('file-scans', { fileId }, { jobId: fileId });
  }

  /**
   * Requests the scans that are due: of files that were never scanned, and of those whose last scan is older than
   * RESCAN_AFTER_DAYS. Each call continues after the last one, so that files whose scans fail do not delay the others.
   */
  async requestDue(): Promise<void> {
    if (!this.scanner.isOn) return;
    const due = await rows<{ id: string }>(
      this.em.fork(),
      `select id from files where kind = 'document' and deleted_at is null and stored_at is not null and scan <> 'infected'
         and (scanned_at is null or scanned_at < now() - make_interval(days => ${RESCAN_AFTER_DAYS})) and id > ?
       order by id limit ${SCANS_PER_SWEEP}`,
      [this.after],
    );
    this.after = due.length < SCANS_PER_SWEEP ? NIL_UUID : due.at(-1)!.id;
    await this.jobs.enqueueAll(
      'file-scans',
      due.map(({ id }) => ({ payload: { fileId: id }, jobId: id })),
    );
  }

  /**
   * Scans one file. Removes the bytes of an infected file.
   * @throws if the scanner or the storage does not answer
   */
  async scan(fileId: string): Promise<void> {
    const em = this.em.fork();
    const [file] = await rows<{ storageKey: string }>(
      em,
      `select storage_key as "storageKey" from files where id = ? and kind = 'document' and deleted_at is null and stored_at is not null and scan <> 'infected'`,
      [fileId],
    );
    const content = file && (await this.storage.stream(file.storageKey));
    if (!file || !content) return;
    const state = (await this.scanner.isInfected(content)) ? 'infected' : 'clean';
    const noted = await changed(
      em,
      // Stores the result only if the file still has the scanned bytes, because it may have been replaced meanwhile.
      `update files set scan = ?, scanned_at = now() where id = ? and storage_key = ? and deleted_at is null and scan <> 'infected'`,
      [state, fileId, file.storageKey],
    );
    if (state === 'infected' && noted > 0) await this.storage.remove(file.storageKey);
  }
}
