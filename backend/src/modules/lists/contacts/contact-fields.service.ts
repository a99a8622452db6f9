import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { withinMs } from '../../../shared/database/queries/within-ms.js';
import { fieldKey } from '../../../shared/merge-tags/values.js';
import { Fields, keyOfLabel, placeOfField, placeOfLabel } from '../../contacts/index.js';
import { type ContactField, contactFieldSql, profileJoin } from './contact-field-sql.js';

/**
 * A field of contacts beyond the built-in ones: a custom field of the account, or columns of lists whose labels have
 * the same key.
 */
export interface CustomField {
  key: string;
  /** The field's name, or the first of the labels. */
  label: string;
  /** Labels of the columns of lists. */
  labels: string[];
  /** Where profiles store the value, in the form that `profileValueSql` takes; absent if only lists have the field. */
  profile?: string;
  /** True if the same field is also offered under another key. */
  isAlias?: boolean;
}

/** Number of contacts with a value for a field, and an example. */
interface FieldCount {
  filled: number;
  example: string | null;
}

/** Counts by merge tag, and the total number of contacts. */
interface FieldCounts {
  total: number;
  byTag: Map<string, FieldCount>;
}

/** Maximum number of fields that one statement counts; PostgreSQL allows 1,664 columns. */
const FIELDS_PER_STATEMENT = 500;
/** Time limit for counting, in ms. A menu shows no numbers rather than wait longer. */
export const COUNT_MS = { most: 2_000 };

/** Finds the fields that contacts of lists have, and counts their values. */
@Injectable()
export class ContactFields {
  constructor(
    private readonly em: EntityManager,
    private readonly fields: Fields,
  ) {}

  /** The account's custom fields, then the further columns of these lists with other keys. */
  async ofAccount(ownerId: string, listIds: readonly string[]): Promise<CustomField[]> {
    const [own, columns] = await Promise.all([this.fields.list(ownerId), this.of(listIds)]);
    const fields = new Map<string, CustomField>();
    for (const { key, label } of own) fields.set(key, { key, label, labels: [], profile: placeOfField(key) });
    for (const column of columns) {
      const known = fields.get(column.key);
      if (known) {
        known.labels.push(...column.labels);
        continue;
      }
      const place = placeOfLabel(column.label);
      const named = place === undefined ? fields.get(keyOfLabel(column.label)) : undefined;
      named?.labels.push(...column.labels);
      const profile = place ?? named?.profile;
      fields.set(column.key, { ...column, ...(profile && { profile }), ...(named && { isAlias: true }) });
    }
    return [...fields.values()];
  }

  /** The further columns of these lists, one for each key, in the order of their labels. */
  async of(listIds: readonly string[]): Promise<CustomField[]> {
    if (listIds.length === 0) return [];
    const found = await rows<{ label: string }>(
      this.em.fork(),
      `select distinct label from contact_fields where email_list_id = any (?::uuid[]) order by label`,
      [sqlArray(listIds)],
    );
    const fields = new Map<string, CustomField>();
    for (const { label } of found) {
      const key = fieldKey(label);
      const known = fields.get(key);
      if (known) known.labels.push(label);
      else if (key !== '') fields.set(key, { key, label, labels: [label] });
    }
    return [...fields.values()];
  }

  /**
   * Counts the confirmed contacts of these lists, and how many of them have a value for each field. Reads all contacts
   * once per FIELDS_PER_STATEMENT fields.
   * @returns null if the lists are so large that counting takes longer than COUNT_MS
   */
  async count(listIds: readonly string[], fields: readonly ContactField[]): Promise<FieldCounts | null> {
    const counts: FieldCounts = { total: 0, byTag: new Map() };
    const end = performance.now() + COUNT_MS.most;
    for (let from = 0; from === 0 || from < fields.length; from += FIELDS_PER_STATEMENT) {
      const leftMs = Math.max(1, Math.floor(end - performance.now()));
      const part = await inTransaction(this.em, (em) =>
        withinMs(em, leftMs, () => this.countSome(em, listIds, fields.slice(from, from + FIELDS_PER_STATEMENT))),
      );
      if (!part) return null;
      counts.total = part.total;
      for (const [tag, count] of part.byTag) counts.byTag.set(tag, count);
    }
    return counts;
  }

  private async countSome(
    em: EntityManager,
    listIds: readonly string[],
    fields: readonly ContactField[],
  ): Promise<FieldCounts> {
    const parts = fields.map(contactFieldSql);
    const [found] = await rows<{ total: number; counts: number[]; examples: (string | null)[] }>(
      em,
      `select count(*)::int as total, array[${parts.map((_part, i) => `count(f${i})`).join(', ')}]::int[] as counts,
         array[${parts.map((_part, i) => `min(f${i})`).join(', ')}]::text[] as examples
       from (select ${parts.map(({ sql }, i) => `${sql} as f${i}`).join(', ')}
             from subscriptions c join email_lists l on l.id = c.email_list_id and l.deleted_at is null ${profileJoin(fields)}
             where c.email_list_id = any (?::uuid[]) and c.confirmed) found`,
      [...parts.flatMap(({ params }) => params), sqlArray(listIds)],
    );
    const byTag = new Map(
      fields.map(({ tag }, i) => [tag, { filled: found!.counts[i]!, example: found!.examples[i] ?? null }]),
    );
    return { total: found!.total, byTag };
  }
}
