import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import { isoTimeSql } from '../../../shared/text/formats.js';
import { SHOWN_FIELDS } from '../bulk/cleanup.js';
import { Fields } from '../fields/fields.service.js';
import { Memberships } from '../profiles/memberships.registry.js';
import { PERSON_CELLS, PERSON_HEADER } from '../profiles/person-cells.js';
import { SegmentConditions } from './segment-conditions.service.js';

type Cell = string | number | null;

/** Average number of profiles per statement. */
const PROFILES_PER_STATEMENT = 4_000;
const BUCKETS = 256;
const HEADER = [...PERSON_HEADER, 'consent', 'last mailed', 'added'] as const;

/**
 * The people of a segment as a table. Reads the account's profiles in parts by address hash, so that no statement takes
 * long and no connection is held during the whole download.
 */
@Injectable()
export class SegmentExport {
  constructor(
    private readonly em: EntityManager,
    private readonly conditions: SegmentConditions,
    private readonly fields: Fields,
    private readonly memberships: Memberships,
  ) {}

  /** @throws 404, 409 preparing, 409 segment_broken */
  async of(ownerId: string, segmentId: string): Promise<{ header: string[]; rows: AsyncGenerator<Cell[]> }> {
    await this.conditions.of(ownerId, segmentId);
    const fields = await this.fields.list(ownerId);
    const keys = fields.map(({ key }) => key);
    return { header: [...HEADER, ...fields.map(({ label }) => label)], rows: this.parts(ownerId, segmentId, keys) };
  }

  private async *parts(ownerId: string, segmentId: string, keys: readonly string[]): AsyncGenerator<Cell[]> {
    const em = this.em.fork();
    const [found] = await rows<{ n: number }>(
      em,
      `select count(*)::int as n from contact_profiles where owner_id = ?`,
      [ownerId],
    );
    const step = Math.max(
      1,
      Math.min(BUCKETS, Math.floor((BUCKETS * PROFILES_PER_STATEMENT) / Math.max(1, found?.n ?? 0))),
    );
    for (let from = 0; from < BUCKETS; from += step) {
      const { sql, params } = await this.conditions.of(ownerId, segmentId, em);
      const part = await rows<{ cells: Cell[] }>(
        em,
        `select array[${PERSON_CELLS},
           ${this.memberships.lists.consentSql}, (select ${isoTimeSql('a.last_mailed_at')} from contact_activity a where a.profile_id = p.id), ${isoTimeSql('p.created_at')}]
           || array(select shown.fields ->> k.key from (select ${SHOWN_FIELDS} as fields offset 0) shown, unnest(?::text[]) with ordinality as k(key, place) order by k.place) as cells
         from contact_profiles p where get_byte(p.email_hash, 0) between ?::int and ?::int and ${sql} order by p.email_norm`,
        [keys, from, from + step - 1, ...params],
      );
      for (const { cells } of part) yield cells;
    }
  }
}
