import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { PlannedUses } from '../planned-uses.registry.js';

/**
 * SQL condition: a draft, with the alias `d`, has or links to a file.
 * @param id SQL of the file's id as text
 */
export const draftNamesFile = (id: string): string =>
  `(d.files @> jsonb_build_array(jsonb_build_object('fileId', ${id})) or jsonb_path_query_array(d.document, '$.**.fileId') @> to_jsonb(${id}))`;

/** Finds the emails that use a file. */
@Injectable()
export class FileUses {
  constructor(private readonly planned: PlannedUses) {}

  /** Whether a scheduled email has or links to the file. */
  isInScheduledEmail(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    return this.planned.namesFile(em, userId, fileId);
  }

  /** Whether any email has or links to the file: a sent one, a test, a scheduled one or a draft. */
  async isUsed(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    const [found] = await rows<{ isUsed: boolean }>(
      em,
      `select exists (select 1 from file_links where file_id = ?) or exists (select 1 from send_attachments where file_id = ?)
         or exists (select 1 from email_drafts d where d.user_id = ? and ${draftNamesFile('?::text')}) as "isUsed"`,
      [fileId, fileId, userId, fileId, fileId],
    );
    return found!.isUsed || (await this.isInScheduledEmail(em, userId, fileId));
  }
}
