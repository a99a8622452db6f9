import { UniqueConstraintViolationException } from '@mikro-orm/core';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { allOf } from '../../../shared/database/queries/all-of.js';
import { contains, Keyset, type SortKey } from '../../../shared/database/queries/keyset.js';
import { readPage } from '../../../shared/database/queries/read-page.js';
import { inTransaction, changed, rows } from '../../../shared/database/queries/rows.js';
import { storableJson, storableText } from '../../../shared/database/queries/storable-text.js';
import type { SendType } from '../../../shared/enums.js';
import type { Page } from '../../../shared/http/index.js';
import { changedElsewhere, templateNameTaken, tooManyTemplates, unknownTemplate } from '../composing.errors.js';
import type { DraftOptions } from '../drafts/draft.entity.js';
import type { DocumentJson } from '../document/document.js';
import { pictureIdsIn } from '../document/render-document.js';
import { Pictures } from '../pictures/pictures.service.js';
import type { TemplateQuery } from './template.dto.js';

/** Maximum number of templates of one user. */
const MAX_TEMPLATES = 200;
const MAX_NAME = 100;
const SORTS: Record<string, SortKey> = {
  updatedAt: { expression: 'updated_at', type: 'timestamptz' },
  usedAt: { expression: `coalesce(used_at, timestamptz '0001-01-01 00:00:00Z')`, type: 'timestamptz' },
  name: { expression: 'lower(name)', type: 'text' },
};

/** The parts of a template. */
export interface TemplateParts {
  name: string;
  emailType: SendType;
  subject: string | null;
  document: DocumentJson;
  /** Choices about brand and signature for messages made from the template; null means the defaults. */
  options: DraftOptions | null;
}

/** A template as stored, without its message. */
export interface TemplateSummary extends Omit<TemplateParts, 'document'> {
  id: string;
  version: number;
  useCount: number;
  usedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A template as stored. */
export type StoredTemplate = TemplateSummary & Pick<TemplateParts, 'document'>;

const SUMMARY = `id, version, name, email_type as "emailType", subject, options, use_count as "useCount", used_at as "usedAt", created_at as "createdAt", updated_at as "updatedAt"`;
const COLUMNS = `${SUMMARY}, document`;

/** Stores a user's templates. Names are unique per user, ignoring case. */
@Injectable()
export class TemplateStore {
  constructor(
    private readonly em: EntityManager,
    private readonly pictures: Pictures,
  ) {}

  page(userId: string, query: TemplateQuery & { limit: number }): Promise<Page<TemplateSummary>> {
    const keyset = new Keyset(SORTS, query.sort ?? '-updatedAt', query.cursor, 'id');
    const text = query.search?.trim();
    return readPage<TemplateSummary>(this.em.fork(), keyset, query.limit, {
      columns: SUMMARY,
      from: 'email_templates',
      where: allOf([
        ['owner_id = ?', userId],
        text && ['(name ilike ? or subject ilike ?)', contains(text), contains(text)],
        query.type && ['email_type = ?', query.type],
      ]),
    });
  }

  /** @throws 404 */
  async one(userId: string, id: string, em = this.em.fork()): Promise<StoredTemplate> {
    const sql = `select ${COLUMNS} from email_templates where id = ? and owner_id = ?`;
    const [found] = await rows<StoredTemplate>(em, sql, [id, userId]);
    if (!found) throw unknownTemplate();
    return found;
  }

  /**
   * @throws 404 for a picture of another user, 409 if the name is taken or the user has the maximum number of
   * templates
   */
  create(userId: string, parts: TemplateParts): Promise<StoredTemplate> {
    return this.adding(userId, async (em) => {
      await this.pictures.lock(em, userId, pictureIdsIn(parts.document));
      return insert(em, userId, parts);
    }).catch(nameTaken);
  }

  /**
   * Copies a template under the first unused name of "… copy", "… copy 2" and so on.
   * @throws 404, 409 if the user has the maximum number of templates
   */
  duplicate(userId: string, id: string): Promise<StoredTemplate> {
    return this.adding(userId, async (em) => {
      const original = await this.one(userId, id, em);
      const names = await rows<{ name: string }>(
        em,
        `select lower(name) as name from email_templates where owner_id = ?`,
        [userId],
      );
      const taken = new Set(names.map(({ name }) => name));
      await this.pictures.lock(em, userId, pictureIdsIn(original.document));
      return insert(em, userId, { ...original, name: freeName(original.name, taken) });
    }).catch(nameTaken);
  }

  /**
   * Changes the given parts if the template still has one of the given versions.
   * @param versions null accepts any version
   * @throws 404, 409 if the name is taken, 412 if the template was changed
   */
  async update(
    userId: string,
    id: string,
    versions: number[] | null,
    { name, emailType, subject, document }: Partial<Omit<TemplateParts, 'options'>>,
  ): Promise<TemplateSummary> {
    const [saved] = await this.pictures
      .keeping(userId, document, (em) =>
        rows<TemplateSummary>(
          em,
          `update email_templates set name = coalesce(?::text, name), email_type = coalesce(?::text, email_type),
         subject = case when ?::boolean then ?::text else subject end, document = coalesce(?::jsonb, document),
         version = version + 1, updated_at = now()
       where id = ? and owner_id = ? and (?::int[] is null or version = any(?::int[])) returning ${SUMMARY}`,
          [
            name === undefined ? null : storableText(name),
            emailType ?? null,
            subject !== undefined,
            typeof subject === 'string' ? storableText(subject) : null,
            document ? storableJson(document) : null,
            id,
            userId,
            versions,
            versions,
          ],
        ),
      )
      .catch(nameTaken);
    if (saved) return saved;
    const sql = `select ${SUMMARY} from email_templates where id = ? and owner_id = ?`;
    const [stored] = await rows<TemplateSummary>(this.em.fork(), sql, [id, userId]);
    if (!stored) throw unknownTemplate();
    throw changedElsewhere('template', { ...stored, device: null });
  }

  /**
   * Counts a use and returns the template. Keeps the version, so that an editor that is open elsewhere can still save.
   * @throws 404
   */
  async use(userId: string, id: string): Promise<StoredTemplate> {
    const [used] = await rows<StoredTemplate>(
      this.em.fork(),
      `update email_templates set use_count = use_count + 1, used_at = now() where id = ? and owner_id = ? returning ${COLUMNS}`,
      [id, userId],
    );
    if (!used) throw unknownTemplate();
    return used;
  }

  /** @throws 404 */
  async remove(userId: string, id: string): Promise<void> {
    const sql = `delete from email_templates where id = ? and owner_id = ?`;
    if ((await changed(this.em.fork(), sql, [id, userId])) === 0) throw unknownTemplate();
  }

  /** Runs an insertion under a lock per user, so that the number of templates is exact. */
  private adding<T>(userId: string, add: (em: EntityManager) => Promise<T>): Promise<T> {
    return inTransaction(this.em, async (em) => {
      await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`templates:${userId}`]);
      const [{ count } = { count: 0 }] = await rows<{ count: number }>(
        em,
        `select count(*)::int as count from email_templates where owner_id = ?`,
        [userId],
      );
      if (count >= MAX_TEMPLATES) throw tooManyTemplates();
      return add(em);
    });
  }
}

async function insert(em: EntityManager, userId: string, parts: TemplateParts): Promise<StoredTemplate> {
  const [made] = await rows<StoredTemplate>(
    em,
    `insert into email_templates (owner_id, name, email_type, subject, document, options) values (?, ?, ?, ?, ?::jsonb, ?::jsonb) returning ${COLUMNS}`,
    [
      userId,
      storableText(parts.name),
      parts.emailType,
      parts.subject === null ? null : storableText(parts.subject),
      storableJson(parts.document),
      parts.options && JSON.stringify(parts.options),
    ],
  );
  return made!;
}

function freeName(name: string, taken: ReadonlySet<string>): string {
  for (let n = 1; ; n += 1) {
    const suffix = n === 1 ? ' copy' : ` copy ${n}`;
    const candidate = storableText(name, MAX_NAME - suffix.length).trimEnd() + suffix;
    if (!taken.has(candidate.toLowerCase())) return candidate;
  }
}

function nameTaken(error: unknown): never {
  throw error instanceof UniqueConstraintViolationException ? templateNameTaken() : error;
}
