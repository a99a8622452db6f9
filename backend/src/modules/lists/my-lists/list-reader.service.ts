import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { countMatches } from '../../../shared/database/queries/read-page.js';
import { Keyset, contains, type KeysetRow, type SortKey } from '../../../shared/database/queries/keyset.js';
import { rows, type SqlPart } from '../../../shared/database/queries/rows.js';
import type { Page, RequestUser } from '../../../shared/http/index.js';
import { asOneLine } from '../../../shared/text/one-line.js';
import type { EmailListDetailDto } from '../outreach/confirmation-status.dto.js';
import type { EmailListDto, EmailListQuery, PublicListDto } from './email-list.dto.js';
import { EmailList } from '../entities/email-list.entity.js';
import { ListAccess } from './list-access.service.js';
import { listNotFound } from '../lists.errors.js';
import { ConfirmationStatus } from '../outreach/confirmation-status.service.js';
import { ListOwners } from '../list-owners.service.js';

/** A list as the API shows it. */
export function listView(list: EmailList): EmailListDto {
  const { id, name, slug, contactCount, isDefault, createdAt, updatedAt } = list;
  return {
    id,
    name,
    slug,
    description: list.description ?? null,
    agencyName: list.agencyName ?? null,
    agencyLogo: list.agencyLogo ?? null,
    ownerName: list.ownerName ?? null,
    contactCount,
    isDefault,
    createdAt,
    updatedAt,
  };
}

const SORTS: Record<string, SortKey> = {
  name: { expression: 'lower(l.name)', type: 'text' },
  createdAt: { expression: 'l.created_at', type: 'timestamptz' },
  updatedAt: { expression: 'l.updated_at', type: 'timestamptz' },
};
const PAGE_OF_ALL = 1000;

/** Reads lists: the user's own, the default list if the user may see it, and the public data of any list. */
@Injectable()
export class ListReader {
  constructor(
    private readonly em: EntityManager,
    private readonly access: ListAccess,
    private readonly owners: ListOwners,
    private readonly confirmations: ConfirmationStatus,
  ) {}

  async page(user: RequestUser, query: EmailListQuery): Promise<Page<EmailListDto>> {
    const limit = query.limit ?? PAGE_OF_ALL;
    const keyset = new Keyset(SORTS, query.sort ?? '-updatedAt', query.cursor, 'l.id');
    const { sql: condition, params } = this.visible(user, query);
    const found = await rows<KeysetRow>(
      this.em,
      `select ${keyset.columns} from email_lists l where ${condition} and ${keyset.where} order by ${keyset.orderBy} limit ?`,
      [...params, ...keyset.params, limit + 1],
    );
    const { rows: keys, next, prev } = keyset.page(found, limit);
    const lists = new Map(
      (await this.em.find(EmailList, { id: { $in: keys.map((key) => key.keyset_id) } })).map((list) => [list.id, list]),
    );
    const total = await countMatches(this.em, `email_lists l where ${condition}`, params);
    return { rows: keys.flatMap((key) => lists.get(key.keyset_id) ?? []).map(listView), ...total, next, prev };
  }

  async one(user: RequestUser, id: string): Promise<EmailListDetailDto> {
    const list = await this.access.require(user, id);
    return { ...listView(list), confirmations: await this.confirmations.of(list) };
  }

  /**
   * Public data of a list. A list without an agency name or owner name shows those of its owner's account.
   * @throws 404 if there is no such list, or its owner may not send mail
   */
  async bySlug(slug: string): Promise<PublicListDto> {
    const list = slug.length <= 300 && !slug.includes('\0') ? await this.em.findOne(EmailList, { slug }) : null;
    if (!list || !(await this.owners.isOpen(list))) throw listNotFound();
    const { agencyName, ownerName, subscriptionType } = await this.owners.publicDetails(list);
    return {
      id: list.id,
      slug: list.slug,
      name: asOneLine(list.name),
      description: list.description ?? null,
      agencyName,
      agencyLogo: list.agencyLogo ?? null,
      ownerName,
      subscriptionType,
    };
  }

  private visible(user: RequestUser, { search, sendable }: EmailListQuery): SqlPart {
    const seesDefault = user.isAdmin || sendable === true;
    return allOf([
      [seesDefault ? '(l.owner_id = ? or l.is_default)' : 'l.owner_id = ?', user.id],
      ['l.deleted_at is null'],
      search?.trim() && ['lower(l.name) like lower(?)', contains(search.trim())],
    ]);
  }
}
