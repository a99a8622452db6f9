import type { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { changed, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { Accounts } from '../../auth/index.js';
import { type BulkRefusal, CONTACT_LIMITS, type JobAction, PROFILE_LENGTHS } from '../contacts.constants.js';
import type { FieldValue } from '../fields/field-values.js';
import { holdFields } from '../fields/label-mapping.service.js';
import { cleanupOf, forget, textOfValue } from './cleanup.js';
import { COPIED_COLUMNS, type CopiedProfile, Memberships } from '../profiles/memberships.registry.js';

/** Parameters of an action, besides the contacts. */
export interface BulkParams {
  tags?: number[];
  listId?: string;
  field?: string;
  value?: FieldValue | null;
}

/** Contacts that an action left unchanged, by id, with the reason. */
export type Refusals = Map<string, BulkRefusal>;

/** Built-in texts that can be set for many contacts, by key, with their column and maximum length. */
export const BUILT_IN_FIELDS = {
  company: { column: 'company', longest: PROFILE_LENGTHS.company },
  job_title: { column: 'job_title', longest: PROFILE_LENGTHS.jobTitle },
  city: { column: 'city', longest: PROFILE_LENGTHS.city },
  region: { column: 'region', longest: PROFILE_LENGTHS.region },
} as const;

const NONE: Refusals = new Map();

/**
 * Carries out one action on a batch of profiles that the caller's transaction has locked. Repeating it changes nothing.
 */
@Injectable()
export class BulkActions {
  constructor(
    private readonly memberships: Memberships,
    private readonly accounts: Accounts,
  ) {}

  /**
   * @returns the contacts that the action left unchanged, with the reason
   * @throws 404 if the list no longer exists
   */
  async apply(
    em: EntityManager,
    ownerId: string,
    action: JobAction,
    params: BulkParams,
    ids: readonly string[],
  ): Promise<Refusals> {
    const { lists } = this.memberships;
    switch (action) {
      case 'addTags':
        return this.addTags(em, ids, params.tags ?? []);
      case 'removeTags':
        await changed(em, REMOVE_TAGS, [sqlArray(params.tags ?? []), sqlArray(ids), sqlArray(params.tags ?? [])]);
        return NONE;
      case 'addToList':
        return this.addToList(em, ownerId, params.listId!, ids);
      case 'removeFromList':
        await lists.remove(em, ids, params.listId);
        return NONE;
      case 'setField':
        await setField(em, ids, params.field!, params.value ?? null);
        return NONE;
      case 'forgetTag':
      case 'forgetField':
      case 'fieldToText':
        await forget(em, cleanupOf(action, params)!, { sql: 'p.id = any (?::uuid[])', params: [sqlArray(ids)] });
        return NONE;
      case 'delete':
        await lists.remove(em, ids);
        await changed(em, `delete from contact_profiles where id = any (?::uuid[])`, [sqlArray(ids)]);
        return NONE;
    }
  }

  /** Locks what must not change while a batch runs. Call it before the batch's profiles are locked. */
  async hold(em: EntityManager, ownerId: string, action: JobAction): Promise<void> {
    if (action === 'setField') await holdFields(em, ownerId);
  }

  /** Starts the follow-up work of a batch, after its commit. */
  async afterCommit(action: JobAction): Promise<void> {
    if (action === 'addToList') await this.memberships.lists.sendOptIns();
  }

  private async addTags(em: EntityManager, ids: readonly string[], tags: readonly number[]): Promise<Refusals> {
    // A tag that was deleted meanwhile is not added.
    const there = await rows<{ id: number }>(
      em,
      `select id from contact_tags where id = any (?::int[]) order by id for key share`,
      [sqlArray(tags)],
    );
    if (there.length === 0) return NONE;
    const left = sqlArray(there.map(({ id }) => id));
    await changed(em, ADD_TAGS, [left, sqlArray(ids), left]);
    const refused = await rows<{ id: string }>(
      em,
      `select id from contact_profiles where id = any (?::uuid[]) and not tag_ids @> ?::int[]`,
      [sqlArray(ids), left],
    );
    return new Map(refused.map(({ id }) => [id, 'too_many_tags']));
  }

  private async addToList(
    em: EntityManager,
    ownerId: string,
    listId: string,
    ids: readonly string[],
  ): Promise<Refusals> {
    await this.memberships.lists.requireLists(ownerId, [listId]);
    const account = await this.accounts.byId(ownerId);
    const profiles = await rows<CopiedProfile>(
      em,
      `select ${COPIED_COLUMNS} from contact_profiles where id = any (?::uuid[]) order by email_norm`,
      [sqlArray(ids)],
    );
    return this.memberships.lists.add(em, { id: ownerId, role: account?.role ?? null }, listId, profiles);
  }
}

async function setField(
  em: EntityManager,
  ids: readonly string[],
  field: string,
  value: FieldValue | null,
): Promise<void> {
  if (Object.hasOwn(BUILT_IN_FIELDS, field)) {
    const { column } = BUILT_IN_FIELDS[field as keyof typeof BUILT_IN_FIELDS];
    await changed(
      em,
      `update contact_profiles set ${column} = ?::text, updated_at = now() where id = any (?::uuid[]) and ${column} is distinct from ?::text`,
      [value, sqlArray(ids), value],
    );
    return;
  }
  // If the field was deleted meanwhile, its values must not return; if it became a text, the value is stored as text.
  await changed(
    em,
    `update contact_profiles p set updated_at = now(), fields = (p.fields - f.key) || case when v.value is null then '{}'
       else jsonb_build_object(f.key, case when f.type = 'text' then to_jsonb(${textOfValue('v.value')}) else v.value end) end
     from profile_fields f, (select ?::jsonb as value) v where p.id = any (?::uuid[]) and f.owner_id = p.owner_id and f.key = ?`,
    [value === null ? null : JSON.stringify(value), sqlArray(ids), field],
  );
}

const ADD_TAGS = `
  update contact_profiles p set tag_ids = n.tags, updated_at = now()
  from (select p.id, (select array_agg(distinct t order by t) from unnest(p.tag_ids || ?::int[]) t) as tags from contact_profiles p where p.id = any (?::uuid[])) n
  where p.id = n.id and not p.tag_ids @> ?::int[] and cardinality(n.tags) <= ${CONTACT_LIMITS.tagsPerContact}`;

const REMOVE_TAGS = `
  update contact_profiles p set tag_ids = coalesce((select array_agg(t order by t) from unnest(p.tag_ids) t where not t = any (?::int[])), '{}'), updated_at = now()
  where p.id = any (?::uuid[]) and p.tag_ids && ?::int[]`;
