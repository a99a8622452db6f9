import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, Keyset, type SortKey } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import type { Page, PageQuery, RequestUser } from '../../../shared/http/index.js';
import { Lists } from '../../lists/index.js';
import type { DraftSummaryDto } from './draft.dto.js';
import type { StoredDraft } from './drafts.service.js';

const SORTS: Record<string, SortKey> = {
  updatedAt: { expression: 'updated_at', type: 'timestamptz' },
  subject: { expression: 'lower(subject)', type: 'text' },
};
type Row = Omit<StoredDraft, 'document' | 'content' | 'preheader' | 'audience' | 'files' | 'options'>;

/** Pages of a user's drafts without their bodies, by default the last changed first. */
@Injectable()
export class DraftLibrary {
  constructor(
    private readonly em: EntityManager,
    private readonly lists: Lists,
  ) {}

  async page(user: RequestUser, query: PageQuery & { limit: number }): Promise<Page<DraftSummaryDto>> {
    const keyset = new Keyset(SORTS, query.sort ?? '-updatedAt', query.cursor, 'id');
    const text = query.search?.trim();
    const found = await readPage<Row>(this.em.fork(), keyset, query.limit, {
      columns: `id, version, updated_at as "updatedAt", last_device as device, email_type as "emailType", list_ids as "listIds", subject, step, created_at as "createdAt"`,
      from: 'email_drafts',
      where: allOf([['user_id = ?', user.id], text && ['subject ilike ?', contains(text)]]),
    });
    const names = new Map(
      (
        await this.lists.present(
          user,
          found.rows.flatMap(({ listIds }) => listIds),
        )
      ).map((list) => [list.id, list]),
    );
    return { ...found, rows: found.rows.map((row) => toSummary(row, names)) };
  }
}

const toSummary = (row: Row, names: ReadonlyMap<string, { id: string; name: string }>): DraftSummaryDto => ({
  id: row.id,
  version: row.version,
  emailType: row.emailType,
  subject: row.subject,
  lists: row.listIds.flatMap((id) => names.get(id) ?? []),
  step: row.step,
  device: row.device,
  createdAt: new Date(row.createdAt).toISOString(),
  updatedAt: new Date(row.updatedAt).toISOString(),
});
