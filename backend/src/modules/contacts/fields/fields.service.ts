import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { invalid } from '../../../shared/errors/app-error.js';
import { JobQueue } from '../../../shared/jobs/job-queue.js';
import { cleanUp, forgottenKeys, rewrittenKeys } from '../bulk/cleanup.js';
import { BUILT_IN_KEYS, CONTACT_LIMITS, type FieldType } from '../contacts.constants.js';
import { fieldExists, fieldNotFound, limitReached, rewriteRuns } from '../contacts.errors.js';
import type { ContactFieldDto, CreateContactFieldDto, UpdateContactFieldDto } from './contact-field.dto.js';
import { FIELD_KEY, keyOfLabel } from './field-keys.js';
import { lockRewrite } from '../profiles/rewrite-lock.js';
import type { FieldDefinition } from './field-values.js';
import { lockFields } from './label-mapping.service.js';

const COLUMNS = 'id, key, label, type, options, position';
const HAS_OPTIONS = new Set<FieldType>(['choice', 'choices']);

/** The custom fields of an account's contacts. */
@Injectable()
export class Fields {
  constructor(
    private readonly em: EntityManager,
    private readonly jobs: JobQueue,
  ) {}

  /** The fields in the account's order. */
  list(ownerId: string, em = this.em.fork()): Promise<ContactFieldDto[]> {
    return rows<ContactFieldDto>(em, `select ${COLUMNS} from profile_fields where owner_id = ? order by position, id`, [
      ownerId,
    ]);
  }

  /** The definitions against which values of the account's fields are checked. */
  definitions(ownerId: string, em: EntityManager): Promise<FieldDefinition[]> {
    return this.list(ownerId, em);
  }

  /**
   * Number of contacts that have a value of the field.
   * @throws 404
   */
  async usage(ownerId: string, id: string): Promise<number> {
    const em = this.em.fork();
    const { key } = await this.require(em, ownerId, id);
    const [found] = await rows<{ n: number }>(
      em,
      `select count(*)::int as n from contact_profiles where owner_id = ? and jsonb_exists(fields, ?)`,
      [ownerId, key],
    );
    return found?.n ?? 0;
  }

  /** @throws 409 if the key is taken or the account has the maximum number of fields */
  create(ownerId: string, { key: given, label, type, options = [] }: CreateContactFieldDto): Promise<ContactFieldDto> {
    const key = given ?? keyOfLabel(label);
    if (!FIELD_KEY.test(key) || BUILT_IN_KEYS.has(key))
      throw invalid(
        'key',
        'The key must begin with a letter, hold letters, digits and _ only, and name no built-in field',
      );
    requireOptions(type, options);
    return inTransaction(this.em, async (em) => {
      await lockFields(em, ownerId);
      const there = await this.list(ownerId, em);
      if (there.some((field) => field.key === key)) throw fieldExists();
      await this.requireUnused(em, ownerId, key);
      if (there.length >= CONTACT_LIMITS.fields) throw limitReached('fields', CONTACT_LIMITS.fields);
      const position = Math.max(0, ...there.map((field) => field.position)) + 1;
      const [added] = await rows<ContactFieldDto>(
        em,
        `insert into profile_fields (owner_id, key, label, type, options, position) values (?, ?, ?, ?, ?::jsonb, ?) returning ${COLUMNS}`,
        [ownerId, key, label, type, JSON.stringify(HAS_OPTIONS.has(type) ? options : []), position],
      );
      return added!;
    });
  }

  /** Keys of text fields that may still have values of a former type, which a worker is rewriting. */
  async rewritten(ownerId: string, em: EntityManager): Promise<ReadonlySet<string>> {
    const [found] = await rows<{ keys: string[] }>(em, `select ${rewrittenKeys('?::uuid')} as keys`, [ownerId]);
    return new Set(found?.keys);
  }

  /**
   * Changes a field. Its type can only become text, because any value fits text. The values are rewritten at once or,
   * if many contacts have one, by a worker; until then they are shown as text.
   * @throws 404, 409 while another such change runs
   */
  async update(ownerId: string, id: string, body: UpdateContactFieldDto): Promise<ContactFieldDto> {
    const { field, isJob } = await inTransaction(this.em, async (em) => {
      await lockFields(em, ownerId);
      const field = await this.require(em, ownerId, id);
      const type = body.type ?? field.type;
      const isNewType = type !== field.type;
      if (isNewType && type !== 'text') throw invalid('type', 'The type can only be changed to text');
      const options = HAS_OPTIONS.has(type) ? (body.options ?? field.options) : [];
      requireOptions(type, options);
      if (isNewType) await lockRewrite(em, ownerId);
      await changed(em, `update profile_fields set label = ?, type = ?, options = ?::jsonb where id = ?`, [
        body.label ?? field.label,
        type,
        JSON.stringify(options),
        id,
      ]);
      if (body.position !== undefined) await this.move(em, ownerId, id, body.position);
      const isLeft = isNewType && (await cleanUp(em, ownerId, { action: 'fieldToText', field: field.key }));
      return { field: await this.require(em, ownerId, id), isJob: isLeft };
    });
    if (isJob) await this.jobs.enqueue('contact-bulk', {});
    return field;
  }

  /**
   * Deletes a field with its values. If many contacts have a value, the values are hidden until a worker has removed
   * them.
   * @throws 404, 409 while another such change runs
   */
  async remove(ownerId: string, id: string): Promise<void> {
    const isJob = await inTransaction(this.em, async (em) => {
      await this.require(em, ownerId, id);
      await lockRewrite(em, ownerId);
      await lockFields(em, ownerId);
      const { key } = await this.require(em, ownerId, id);
      await changed(em, `delete from profile_fields where id = ?`, [id]);
      return cleanUp(em, ownerId, { action: 'forgetField', field: key });
    });
    if (isJob) await this.jobs.enqueue('contact-bulk', {});
  }

  /** @throws 409 while values of a deleted field with this key are being removed */
  private async requireUnused(em: EntityManager, ownerId: string, key: string): Promise<void> {
    const [found] = await rows<{ used: boolean }>(em, `select ?::text = any (${forgottenKeys('?::uuid')}) as used`, [
      key,
      ownerId,
    ]);
    if (found?.used) throw rewriteRuns();
  }

  /** @param place position from 1 */
  private async move(em: EntityManager, ownerId: string, id: string, place: number): Promise<void> {
    const order = (await this.list(ownerId, em)).map((field) => field.id).filter((other) => other !== id);
    order.splice(place - 1, 0, id);
    await changed(
      em,
      `update profile_fields f set position = n.position from jsonb_to_recordset(?::jsonb) as n(id uuid, position int) where f.id = n.id`,
      [JSON.stringify(order.map((one, at) => ({ id: one, position: at + 1 })))],
    );
  }

  private async require(em: EntityManager, ownerId: string, id: string): Promise<ContactFieldDto> {
    const [found] = await rows<ContactFieldDto>(
      em,
      `select ${COLUMNS} from profile_fields where id = ? and owner_id = ?`,
      [id, ownerId],
    );
    if (!found) throw fieldNotFound();
    return found;
  }
}

function requireOptions(type: FieldType, options: readonly string[]): void {
  if (HAS_OPTIONS.has(type) && options.length === 0) throw invalid('options', 'Please enter at least one option');
}
