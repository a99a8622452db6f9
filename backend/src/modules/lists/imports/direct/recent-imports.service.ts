import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../../shared/database/queries/rows.js';
import type { RecentImportDto } from './import.dto.js';
import { directStatus, failureText, linesOf } from './direct-import-view.service.js';
import type { ContactImport } from '../../entities/contact-import.entity.js';

type Row = Pick<
  ContactImport,
  | 'id'
  | 'status'
  | 'stage'
  | 'total'
  | 'lines'
  | 'added'
  | 'skipped'
  | 'bytesDone'
  | 'bytesTotal'
  | 'failure'
  | 'fileInfo'
> & { listId: string; listName: string; finishedAt: Date | null };

const MAX_IMPORTS = 20;

/**
 * The account's imports that are running or have just ended. Leaves out imports that the user has not started to write
 * yet, and those into deleted lists.
 */
@Injectable()
export class RecentImports {
  constructor(private readonly em: EntityManager) {}

  async of(userId: string, endedWithinSeconds: number): Promise<RecentImportDto[]> {
    const found = await rows<Row>(
      this.em.fork(),
      `select i.id, i.status, i.stage, i.lines, i.file_info as "fileInfo", i.total, i.added, i.skipped, i.bytes_done as "bytesDone", i.bytes_total as "bytesTotal", i.failure, i.finished_at as "finishedAt", l.id as "listId", l.name as "listName"
       from contact_imports i join email_lists l on l.id = i.email_list_id and l.deleted_at is null
       where i.user_id = ? and (i.is_direct or i.committed_at is not null) and (i.finished_at is null or i.finished_at > now() - make_interval(secs => ?::int)) order by i.created_at desc limit ${MAX_IMPORTS}`,
      [userId, endedWithinSeconds],
    );
    return found.map((row) => ({
      id: row.id,
      listId: row.listId,
      listName: row.listName,
      status: directStatus(row.status),
      total: linesOf(row),
      added: row.added,
      skipped: row.skipped,
      message: failureText(row),
      endedAt: row.finishedAt && new Date(row.finishedAt).toISOString(),
    }));
  }
}
