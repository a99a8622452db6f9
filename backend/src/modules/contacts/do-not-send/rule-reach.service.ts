import { EntityManager } from '@mikro-orm/postgresql';
import { Injectable } from '@nestjs/common';
import { rows } from '../../../shared/database/queries/rows.js';
import type { RuleValue } from './rule-value.js';
import { MATCHES_SQL } from './rule-sql.js';

/** Minimum number of covered contacts from which a rule has to be confirmed. */
const BROAD = 1_000;

/** Counts the contacts that a new rule would cover. */
@Injectable()
export class RuleReach {
  constructor(private readonly em: EntityManager) {}

  /** Number of the account's contacts that a rule covers. */
  async of(ownerId: string, { kind, value, companyDomain, addressHash }: RuleValue): Promise<number> {
    const [found] = await rows<{ n: number }>(
      this.em.fork(),
      `select ${MATCHES_SQL} as n from (select ?::uuid as owner_id, ?::text as kind, ?::text as value, ?::text as company_domain, ?::bytea as address_hash) r`,
      [ownerId, kind, value, companyDomain, addressHash],
    );
    return found?.n ?? 0;
  }

  /**
   * The rules that have to be confirmed, with the number of contacts that each covers: rules for free-mail domains, and
   * rules that cover very many contacts.
   */
  async broad(ownerId: string, values: readonly RuleValue[]): Promise<Map<string, number>> {
    const domains = values.filter(({ kind }) => kind === 'domain');
    if (domains.length === 0) return new Map();
    const found = await rows<{ value: string; isFree: boolean; n: number }>(
      this.em.fork(),
      `select r.value, r.company_domain is null as "isFree", ${MATCHES_SQL} as n
       from (select o.id as owner_id, g.*, null::bytea as address_hash from (select ?::uuid as id) o
             cross join jsonb_to_recordset(?::jsonb) as g(kind text, value text, company_domain text)) r`,
      [
        ownerId,
        JSON.stringify(
          domains.map(({ kind, value, companyDomain }) => ({ kind, value, company_domain: companyDomain })),
        ),
      ],
    );
    return new Map(found.flatMap(({ value, isFree, n }) => (isFree || n >= BROAD ? [[value, n] as const] : [])));
  }
}
