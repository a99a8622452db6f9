import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { FileStorage } from '../../../../shared/storage/file-storage.js';
import { VirusScanner } from './virus-scanner.js';

/** Documents that one sweep requests scans for. */
const AT_ONCE = 200;
/** Days after which a document is scanned again, because the scanner's signatures are updated. */
const AGAIN_DAYS = 7;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Requests and runs virus scans of documents. Due scans follow from the database, so that a lost job only delays a
 * scan. While the scanner does not answer, states stay unchanged: a new document is not served, a clean one is.
 */
@Injectable()
export class FileScans {
  /** Id of the last document for which the current round of sweeps has requested a scan. */
  private after = FIRST;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly storage: FileStorage,
    private readonly scanner: VirusScanner,
  ) {}

  /** Requests a scan of one document. */
  async request(fileId: string): Promise<void> {
    if (this.scanner.isOn) await this.jobs.enqueue('file-scans', { fileId }, { jobId: fileId });
  }

  /**
   * Requests the scans that are due: of documents that were never scanned, and of those whose last scan is older than
   * AGAIN_DAYS. Each call continues after the last one, so that documents whose scans fail do not delay the others.
   */
  async requestDue(): Promise<void> {
    if (!this.scanner.isOn) return;
    const due = await rows<{ id: string }>(
      this.em.fork(),
      `select id from files where kind = 'document' and deleted_at is null and stored_at is not null and scan <> 'infected'
         and (scanned_at is null or scanned_at < now() - make_interval(days => ${AGAIN_DAYS})) and id > ?
       order by id limit ${AT_ONCE}`,
      [this.after],
    );
    this.after = due.length < AT_ONCE ? FIRST : due.at(-1)!.id;
    await this.jobs.enqueueAll(
      'file-scans',
      due.map(({ id }) => ({ payload: { fileId: id }, jobId: id })),
    );
  }

  /**
   * Scans one document. Removes the bytes of an infected one.
   * @throws where the scanner or the storage does not answer
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
      // Only for the scanned bytes: the document may have been replaced meanwhile.
      `update files set scan = ?, scanned_at = now() where id = ? and storage_key = ? and deleted_at is null and scan <> 'infected'`,
      [state, fileId, file.storageKey],
    );
    if (state === 'infected' && noted > 0) await this.storage.remove(file.storageKey);
  }
}
