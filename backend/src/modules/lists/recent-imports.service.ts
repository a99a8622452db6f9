import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../shared/database/rows.js';
import type { RecentImportDto } from './dto/import.dto.js';
import { failureText, linesOf } from './import-reader.service.js';
import type { ContactImport } from './entities/contact-import.entity.js';

type Row = Pick<ContactImport, 'id' | 'status' | 'total' | 'added' | 'skipped' | 'bytesDone' | 'bytesTotal' | 'failure'> & { listId: string; listName: string; finishedAt: Date | null };

const MOST = 20;

/** The imports that an account runs, and those that ended within the last minutes. */
@Injectable()
export class RecentImports {
  constructor(private readonly em: EntityManager) {}

  async of(userId: string, endedWithinSeconds: number): Promise<RecentImportDto[]> {
    const found = await rows<Row>(
      this.em.fork(),
      `select i.id, i.status, i.total, i.added, i.skipped, i.bytes_done as "bytesDone", i.bytes_total as "bytesTotal", i.failure, i.finished_at as "finishedAt", l.id as "listId", l.name as "listName"
       from contact_imports i join email_lists l on l.id = i.email_list_id
       where i.user_id = ? and (i.finished_at is null or i.finished_at > now() - make_interval(secs => ?::int)) order by i.created_at desc limit ${MOST}`,
      [userId, endedWithinSeconds],
    );
    return found.map((row) => ({
      id: row.id, listId: row.listId, listName: row.listName, status: row.status === 'uploading' ? 'queued' : row.status,
      total: linesOf(row), added: row.added, skipped: row.skipped, message: failureText(row.failure), endedAt: row.finishedAt && new Date(row.finishedAt).toISOString(),
    }));
  }
}
