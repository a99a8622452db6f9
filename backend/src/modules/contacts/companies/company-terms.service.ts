import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { SqlPart } from '../../../shared/database/queries/rows.js';
import { sqlArray } from '../../../shared/database/queries/sql-array.js';
import { COMPANY_KINDS, type CompanyKind } from '../contacts.constants.js';
import { coveredByRule } from '../do-not-send/rule-sql.js';
import { not, type SegmentTerm, SegmentTerms } from '../segments/segment-terms.registry.js';

const KINDS: Record<CompanyKind, string> = {
  vendor: 'Vendor',
  end_client: 'End client',
  own_agency: 'Own agency',
  competitor: 'Competitor',
  other: 'Other',
};

/** Segment terms about a person's company and about do-not-send rules. */
@Injectable()
export class CompanyTerms implements OnModuleInit {
  constructor(private readonly terms: SegmentTerms) {}

  onModuleInit(): void {
    this.terms.add({ terms: (ownerId) => [companyKind(ownerId), doNotSend(ownerId)] });
  }
}

/** A company without a row in `companies` has no kind. */
function companyKind(ownerId: string): SegmentTerm {
  const isOneOf = (kinds: readonly string[]): SqlPart => ({
    sql: `coalesce(p.company_domain in (select k.domain from companies k where k.owner_id = ? and k.kind = any (?::text[])), false)`,
    params: [ownerId, sqlArray(kinds)],
  });
  return {
    field: 'companyKind',
    label: 'Company kind',
    group: 'Company',
    options: COMPANY_KINDS.map((value) => ({ value, label: KINDS[value] })),
    operators: [
      { name: 'isOneOf', label: 'is one of', value: 'options', sql: (kinds) => isOneOf(kinds as string[]) },
      { name: 'isNoneOf', label: 'is none of', value: 'options', sql: (kinds) => not(isOneOf(kinds as string[])) },
    ],
  };
}

const doNotSend = (ownerId: string): SegmentTerm => ({
  field: 'doNotSend',
  label: 'Your do-not-send list',
  group: 'Company',
  operators: [
    { name: 'covers', label: 'covers them', value: 'none', sql: () => coveredByRule(ownerId) },
    { name: 'coversNot', label: 'does not cover them', value: 'none', sql: () => not(coveredByRule(ownerId)) },
  ],
});
