import { randomInt } from 'node:crypto';
import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { inTransaction, rows } from '../../../shared/database/queries/rows.js';
import { CONTACT_LIMITS } from '../contacts.constants.js';
import type { FieldDefinition } from '../fields/field-values.js';
import { Fields } from '../fields/fields.service.js';
import { lockTags } from '../tags/tags.service.js';

const MAX_ID = 2 ** 31 - 1;
const MAX_DOMAINS = 10;

/** Gives imports access to an account's profiles, fields and tags. */
@Injectable()
export class ImportedPeople {
  constructor(
    private readonly em: EntityManager,
    private readonly fields: Fields,
  ) {}

  /** The account's custom fields. */
  fieldDefinitions(ownerId: string): Promise<FieldDefinition[]> {
    return this.fields.definitions(ownerId, this.em.fork());
  }

  /** Ids of the account's tags, keyed by lower-case name. */
  async tagIds(ownerId: string, em = this.em.fork()): Promise<Map<string, number>> {
    const found = await rows<{ name: string; id: number }>(
      em,
      `select lower(name) as name, id from contact_tags where owner_id = ?`,
      [ownerId],
    );
    return new Map(found.map(({ name, id }) => [name, id]));
  }

  /**
   * Creates missing tags up to the account's limit.
   * @returns ids of all tags, keyed by lower-case name
   */
  async ensureTags(ownerId: string, names: readonly string[]): Promise<Map<string, number>> {
    const known = await this.tagIds(ownerId);
    // If a name has several spellings, the first one is kept.
    const missing = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]));
    for (const name of known.keys()) missing.delete(name);
    if (missing.size === 0) return known;
    return inTransaction(this.em, async (em) => {
      await lockTags(em, ownerId);
      const given = [...missing.values()].map((name) => ({ name, id: randomInt(1, MAX_ID) }));
      await rows(em, ADD_TAGS, [ownerId, JSON.stringify(given), CONTACT_LIMITS.tags, ownerId]);
      return this.tagIds(ownerId, em);
    });
  }

  /** The company domains with the most contacts of the account, at most ten. */
  async largestDomains(ownerId: string): Promise<string[]> {
    const found = await rows<{ domain: string }>(
      this.em.fork(),
      `select company_domain as domain from contact_profiles where owner_id = ? and company_domain is not null group by 1 order by count(*) desc, 1 limit ?`,
      [ownerId, MAX_DOMAINS],
    );
    return found.map(({ domain }) => domain);
  }
}

/** SQL statement that adds tags; names that differ only in case are the same tag. */
const ADD_TAGS = `
  insert into contact_tags (id, owner_id, name)
  select g.id, ?::uuid, g.name
  from rows from (jsonb_to_recordset(?::jsonb) as (name text, id int)) with ordinality as g(name, id, place)
  where g.place <= ? - (select count(*) from contact_tags where owner_id = ?)
  on conflict do nothing`;
