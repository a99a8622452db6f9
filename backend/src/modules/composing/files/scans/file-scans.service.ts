import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../../shared/database/queries/rows.js';
import { JobQueue } from '../../../../shared/jobs/job-queue.js';
import { FileStorage } from '../../../../shared/storage/file-storage.js';
import { VirusScanner } from './virus-scanner.js';

/** Files asked for in one sweep. */
const AT_ONCE = 200;
/** Days after which a file is scanned again: scanners learn. */
const AGAIN_DAYS = 7;
const FIRST = '00000000-0000-0000-0000-000000000000';

/**
 * Scans of documents. The database holds which are due, so that a lost job only delays one. While the scanner does not
 * answer a document stays as it is: a new one is served to nobody, one that was clean goes on being served.
 */
@Injectable()
export class FileScans {
  /** The last document that the present round of sweeps asked for. */
  private after = FIRST;

  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
    private readonly storage: FileStorage,
    private readonly scanner: VirusScanner,
  ) {}

  /** Has a document scanned soon. */
  async request(fileId: string): Promise<void> {
    if (this.scanner.isOn) await this.jobs.enqueue('file-scans', { fileId }, { jobId: fileId });
  }

  /**
   * Has those scanned that wait: new ones, those from before there was a scanner, and those whose last scan is old. Each
   * call takes the next ones, so that documents which cannot be scanned keep none of the others waiting.
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

  /** Scans one document now; an infected one loses its bytes. @throws where the scanner or the storage does not answer */
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
      // Another version may have taken the place of the one that was looked at.
      `update files set scan = ?, scanned_at = now() where id = ? and storage_key = ? and deleted_at is null and scan <> 'infected'`,
      [state, fileId, file.storageKey],
    );
    if (state === 'infected' && noted > 0) await this.storage.remove(file.storageKey);
  }
}
