import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { PlannedUses } from '../planned-uses.registry.js';

/** SQL condition: a draft, aliased `d`, names a file. @param id SQL of the file's id as a text */
export const draftNamesFile = (id: string): string =>
  `(d.files @> jsonb_build_array(jsonb_build_object('fileId', ${id})) or jsonb_path_query_array(d.document, '$.**.fileId') @> to_jsonb(${id}))`;

/** Where documents are used besides the links of sent emails. */
@Injectable()
export class FileUses {
  constructor(private readonly planned: PlannedUses) {}

  /** Whether a scheduled email brings it. */
  isPlanned(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    return this.planned.namesFile(em, userId, fileId);
  }

  /** Whether any email has or will have it: sent, tested, scheduled or a draft. */
  async isNamed(em: EntityManager, userId: string, fileId: string): Promise<boolean> {
    const [found] = await rows<{ isNamed: boolean }>(
      em,
      `select exists (select 1 from file_links where file_id = ?) or exists (select 1 from send_attachments where file_id = ?)
         or exists (select 1 from email_drafts d where d.user_id = ? and ${draftNamesFile('?::text')}) as "isNamed"`,
      [fileId, fileId, userId, fileId, fileId],
    );
    return found!.isNamed || (await this.isPlanned(em, userId, fileId));
  }
}
