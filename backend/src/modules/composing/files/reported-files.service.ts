import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { Keyset, type SortKey } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import type { Page, PartQuery } from '../../../shared/http/index.js';
import { type Actor, AuditTrail } from '../../auth/index.js';
import { unknownFile } from '../composing.errors.js';
import { lockFilesOf } from './file-quota.js';
import type { ReportedFileDto } from './reported-file.dto.js';
import { barBytes } from './barred-bytes.js';
import { VirusScanner } from './scans/virus-scanner.js';

const SORTS: Record<string, SortKey> = { reportedAt: { expression: 'f.reported_at', type: 'timestamptz' } };
const COLUMNS = `f.id, f.name, f.media_type as "mediaType", f.byte_size as "byteSize", f.user_id as "userId", u.email as "userEmail",
  f.reports, f.reported_at as "reportedAt", f.taken_down_at as "takenDownAt"`;
const FROM = 'files f join users u on u.id = f.user_id';
/**
 * SQL condition: readers reported the file. Includes deleted files; otherwise an owner could delete a file to keep an
 * admin from barring its bytes.
 */
const REPORTED = 'f.reported_at is not null';

interface ReportedRow extends Omit<ReportedFileDto, 'reportedAt' | 'takenDownAt'> {
  reportedAt: Date;
  takenDownAt: Date | null;
}

/** Files that readers reported, for admins: names, owners and counts, never the content. */
@Injectable()
export class ReportedFiles {
  constructor(
    private readonly em: EntityManager,
    private readonly audit: AuditTrail,
    private readonly scanner: VirusScanner,
  ) {}

  /** Whether uploaded files are scanned for viruses. */
  get areScanned(): boolean {
    return this.scanner.isOn;
  }

  /** A page of reported files, last reported first. */
  async page({ limit, cursor }: PartQuery & { limit: number }): Promise<Page<ReportedFileDto>> {
    const found = await readPage<ReportedRow>(this.em.fork(), new Keyset(SORTS, '-reportedAt', cursor, 'f.id'), limit, {
      columns: COLUMNS,
      from: FROM,
      where: { sql: REPORTED, params: [] },
    });
    return { ...found, rows: found.rows.map(toDto) };
  }

  /** Number of reported files on which no admin has decided; exact up to 100. */
  async waiting(): Promise<number> {
    const [found] = await rows<{ count: number }>(
      this.em.fork(),
      `select count(*)::int as count from (select 1 from files f where ${REPORTED} and f.taken_down_at is null limit 100) waiting`,
    );
    return found?.count ?? 0;
  }

  /**
   * Takes a reported file down, together with the account's current file with the same bytes, which the owner may have
   * uploaded after deleting the reported one. Their links stop working, and the account may not upload the bytes again.
   * Repeated calls record one audit event. Locks the account's files, so that no upload or replacement that began
   * before the take-down ends after it.
   * @throws 404 for a file that was not reported
   */
  async takeDown(actor: Actor, id: string): Promise<ReportedFileDto> {
    return inTransaction(this.em, async (em) => {
      const [reported] = await rows<{ userId: string }>(
        em,
        `select f.user_id as "userId" from files f where f.id = ? and ${REPORTED}`,
        [id],
      );
      if (!reported) throw unknownFile();
      await lockFilesOf(em, reported.userId);
      const down = await changed(
        em,
        `update files f set taken_down_at = now() where f.id = ? and f.taken_down_at is null and ${REPORTED}`,
        [id],
      );
      // Runs even if the file was already down: earlier versions of the app took files down without recording the hash.
      await barBytes(em, id);
      await changed(
        em,
        `update files f set taken_down_at = now() from files r
         where r.id = ? and r.taken_down_at is not null and f.user_id = r.user_id and f.sha256 = r.sha256 and f.deleted_at is null and f.taken_down_at is null`,
        [id],
      );
      const [taken] = await rows<ReportedRow>(em, `select ${COLUMNS} from ${FROM} where f.id = ? and ${REPORTED}`, [
        id,
      ]);
      if (!taken) throw unknownFile();
      if (down > 0)
        await this.audit.recordAction(em, actor, {
          kind: 'file.taken_down',
          ownerId: taken.userId,
          detail: taken.name,
        });
      return toDto(taken);
    });
  }

  /**
   * Closes the reports of a file without taking it down; the audit event records the admin, the time and the reason. A
   * later report lists the file again.
   * @throws 404 for a file without an open report, or one that was taken down
   */
  async dismiss(actor: Actor, id: string): Promise<void> {
    await inTransaction(this.em, async (em) => {
      const [file] = await rows<{ userId: string; name: string }>(
        em,
        `update files f set reports = 0, reported_at = null where f.id = ? and f.taken_down_at is null and ${REPORTED} returning f.user_id as "userId", f.name`,
        [id],
      );
      if (!file) throw unknownFile();
      await this.audit.recordAction(em, actor, {
        kind: 'file.report_dismissed',
        ownerId: file.userId,
        detail: file.name,
      });
    });
  }
}

const toDto = ({
  id,
  name,
  mediaType,
  byteSize,
  userId,
  userEmail,
  reports,
  ...row
}: ReportedRow): ReportedFileDto => ({
  id,
  name,
  mediaType,
  byteSize,
  userId,
  userEmail,
  reports,
  reportedAt: new Date(row.reportedAt).toISOString(),
  takenDownAt: row.takenDownAt && new Date(row.takenDownAt).toISOString(),
});
