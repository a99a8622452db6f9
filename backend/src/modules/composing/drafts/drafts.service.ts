import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { storableJson, storableText } from '../../../shared/database/queries/storable-text.js';
import { SEND_TYPE_OF_ROLE } from '../../../shared/enums.js';
import type { RequestUser } from '../../../shared/http/index.js';
import { SendRecords } from '../../history/index.js';
import { readBody } from '../composed-body.js';
import { changedElsewhere, draftSent, tooManyDrafts, unknownDraft } from '../composing.errors.js';
import { audienceOf } from '../audience-choice.dto.js';
import { pictureIdsIn } from '../document/render-document.js';
import { chosenFilesOf } from '../files/messages/chosen-files.dto.js';
import { linkedFileIds } from '../files/messages/linked-files.js';
import { MessageFiles } from '../files/messages/message-files.service.js';
import { Pictures } from '../pictures/pictures.service.js';
import { PlannedUses } from '../planned-uses.registry.js';
import { canonicalJob } from '../requirements/job.js';
import type { Composition } from '../sent-compositions.js';
import type { SaveDraftDto } from './draft.dto.js';
import type { DraftOptions } from './draft.entity.js';

/** Maximum number of drafts of one user. */
const MAX_DRAFTS = 200;

/** The parts of a draft as stored. */
export interface DraftParts extends Composition {
  /** Current step of the wizard, from 1. */
  step: number;
}

export interface StoredDraft extends DraftParts, SavedDraft {
  createdAt: Date;
}

/** The result of a save. */
export interface SavedDraft {
  id: string;
  version: number;
  updatedAt: Date;
  device: string | null;
}

const SAVED = `id, version, updated_at as "updatedAt", last_device as device`;
const COLUMNS = `${SAVED}, email_type as "emailType", list_ids as "listIds", audience, subject, preheader, document, content, job, files, options, step, created_at as "createdAt"`;

/** Stores drafts. A save names the version that it replaces; of two concurrent saves the database accepts one. */
@Injectable()
export class Drafts {
  constructor(
    private readonly em: EntityManager,
    private readonly records: SendRecords,
    private readonly pictures: Pictures,
    private readonly planned: PlannedUses,
    private readonly files: MessageFiles,
  ) {}

  /**
   * Checks the parts of a request and converts them.
   * @throws 400 `document_invalid`, 404 for a picture or file of another user
   */
  async partsOf(user: RequestUser, given: SaveDraftDto): Promise<DraftParts> {
    const { content, document } = readBody(given);
    if (document) await this.pictures.assertOwn(user.id, document);
    const files = chosenFilesOf(given.files);
    await this.files.assertOwn(user.id, [
      ...files.map(({ fileId }) => fileId),
      ...(document ? linkedFileIds(document.json) : []),
    ]);
    return {
      emailType: given.emailType ?? SEND_TYPE_OF_ROLE[user.role],
      listIds: [...new Set((given.emailListIds ?? []).map((id) => id.toLowerCase()))],
      audience: audienceOf(given),
      subject: given.subject ?? '',
      preheader: given.preheader ?? '',
      document: document?.briefJson ?? null,
      content,
      job: given.job ? canonicalJob(given.job) : null,
      files,
      options: optionsOf(given),
      step: given.step ?? 1,
    };
  }

  /** @throws 404, 410 once the draft was sent or scheduled */
  async one(userId: string, id: string): Promise<StoredDraft> {
    const [draft] = await rows<StoredDraft>(
      this.em.fork(),
      `select ${COLUMNS} from email_drafts where id = ? and user_id = ?`,
      [id, userId],
    );
    return draft ?? this.gone(userId, id);
  }

  /**
   * Creates a draft. If the user has the maximum number of drafts, no older draft is deleted.
   * @throws 404 for a picture of another user, 409 if the user has the maximum number of drafts
   */
  async create(userId: string, parts: DraftParts, device: string | null): Promise<StoredDraft> {
    return inTransaction(this.em, async (em) => {
      if (parts.document) await this.pictures.lock(em, userId, pictureIdsIn(parts.document));
      await rows(em, `select pg_advisory_xact_lock(hashtextextended(?, 0))`, [`drafts:${userId}`]);
      const [{ count } = { count: 0 }] = await rows<{ count: number }>(
        em,
        `select count(*)::int as count from email_drafts where user_id = ?`,
        [userId],
      );
      if (count >= MAX_DRAFTS) throw tooManyDrafts();
      const [made] = await rows<StoredDraft>(
        em,
        `insert into email_drafts (user_id, email_type, list_ids, audience, subject, preheader, document, content, job, files, options, step, last_device)
         values (?, ?, ?::jsonb, ?::jsonb, ?, ?, ?::jsonb, ?, ?::jsonb, ?::jsonb, ?::jsonb, ?, ?) returning ${COLUMNS}`,
        [userId, ...valuesOf(parts), device],
      );
      return made!;
    });
  }

  /**
   * Replaces all parts if the draft still has one of the given versions.
   * @param versions null accepts any version
   * @throws 404, 410 once the draft was sent or scheduled, 412 if it has another version
   */
  async save(
    userId: string,
    id: string,
    versions: number[] | null,
    parts: DraftParts,
    device: string | null,
  ): Promise<SavedDraft> {
    const [saved] = await this.pictures.keeping(userId, parts.document, (em) =>
      rows<SavedDraft>(
        em,
        `update email_drafts set email_type = ?, list_ids = ?::jsonb, audience = ?::jsonb, subject = ?, preheader = ?, document = ?::jsonb, content = ?, job = ?::jsonb, files = ?::jsonb, options = ?::jsonb, step = ?, last_device = ?,
           version = version + 1, updated_at = now()
         where id = ? and user_id = ? and (?::int[] is null or version = any(?::int[])) returning ${SAVED}`,
        [...valuesOf(parts), device, id, userId, versions, versions],
      ),
    );
    if (saved) return saved;
    throw changedElsewhere(
      'draft',
      (await this.versionOf(this.em.fork(), userId, id)) ?? (await this.gone(userId, id)),
    );
  }

  /** @throws 404, 410 once the draft was sent or scheduled */
  async remove(userId: string, id: string): Promise<void> {
    const count = await changed(this.em.fork(), `delete from email_drafts where id = ? and user_id = ?`, [id, userId]);
    if (count === 0) await this.gone(userId, id);
  }

  /**
   * Deletes a draft that is being sent, in the transaction that accepts the send: if the send is refused, the draft
   * stays.
   * @param version the version that the sender has seen; null accepts any version
   * @throws 404 if the user has no such draft, 410 if it was sent or scheduled, 412 if it has another version
   */
  async take(em: EntityManager, userId: string, id: string, version: number | null): Promise<void> {
    const count = await changed(
      em,
      `delete from email_drafts where id = ? and user_id = ? and (?::int is null or version = ?::int)`,
      [id, userId, version, version],
    );
    if (count > 0) return;
    const stored = await this.versionOf(em, userId, id);
    if (stored) throw changedElsewhere('draft', stored);
    return this.gone(userId, id, em);
  }

  private async versionOf(em: EntityManager, userId: string, id: string): Promise<SavedDraft | undefined> {
    const sql = `select ${SAVED} from email_drafts where id = ? and user_id = ?`;
    const [stored] = await rows<SavedDraft>(em, sql, [id, userId]);
    return stored;
  }

  private async gone(userId: string, id: string, em: EntityManager = this.em.fork()): Promise<never> {
    const sent = await this.records.byDraft(em, userId, id);
    if (sent) throw draftSent(sent.id, sent.sentAt);
    throw (await this.planned.ofDraft(em, userId, id)) ?? unknownDraft();
  }
}

const valuesOf = (parts: DraftParts): unknown[] => [
  parts.emailType,
  JSON.stringify(parts.listIds),
  parts.audience && storableJson(parts.audience),
  storableText(parts.subject),
  storableText(parts.preheader),
  parts.document && storableJson(parts.document),
  parts.content === null ? null : storableText(parts.content),
  parts.job && storableJson(parts.job),
  JSON.stringify(parts.files),
  parts.options && JSON.stringify(parts.options),
  parts.step,
];

/**
 * Converts the choices to their stored form.
 * @returns null if all of them are the defaults
 */
export function optionsOf({ brand, signature }: Pick<SaveDraftDto, 'brand' | 'signature'>): DraftOptions | null {
  const options = {
    ...(typeof brand === 'boolean' && { brand }),
    ...(typeof signature === 'boolean' && { signature }),
  };
  return Object.keys(options).length > 0 ? options : null;
}
