import { Injectable, type OnModuleInit } from '@nestjs/common';
import { hostSql } from '../../../../shared/database/queries/columns.js';
import { companyDomain } from '../../profiles/values/company-domain.js';
import { column, domainOperators, emptyOperators, textOperators, timeOperators } from '../operators.js';
import { type SegmentTerm, SegmentTerms } from '../segment-terms.registry.js';

/** Normalises a typed domain: removes a leading @ and a final dot, and converts it to lower case. */
const typedDomain = (value: string): string => value.toLowerCase().replace(/^@/, '').replace(/\.$/, '');
/** The registrable domain of a typed host, because companies are stored by registrable domain. */
const registrable = (value: string): string => companyDomain(`x@${typedDomain(value)}`) ?? typedDomain(value);

const text = (field: string, label: string, name: string): SegmentTerm => ({
  field,
  label,
  group: 'Person',
  operators: textOperators(column(`p.${name}`)),
});

const TERMS: readonly SegmentTerm[] = [
  text('firstName', 'First name', 'first_name'),
  text('lastName', 'Last name', 'last_name'),
  {
    ...text('email', 'Email', 'email_norm'),
    operators: textOperators(column('p.email_norm')).filter(({ name }) => !/Empty$/.test(name)),
  },
  {
    field: 'emailDomain',
    label: 'Email domain',
    group: 'Person',
    operators: domainOperators(hostSql('p.email_norm'), typedDomain),
  },
  text('jobTitle', 'Job title', 'job_title'),
  text('phone', 'Phone', 'phone'),
  text('city', 'City', 'city'),
  text('region', 'State or region', 'region'),
  text('country', 'Country code', 'country'),
  text('timeZone', 'Time zone', 'time_zone'),
  { field: 'createdAt', label: 'Added', group: 'Person', operators: timeOperators('p.created_at') },
  { ...text('company', 'Company', 'company'), group: 'Company' },
  {
    field: 'companyDomain',
    label: 'Company domain',
    group: 'Company',
    operators: [
      ...domainOperators('p.company_domain', registrable),
      ...emptyOperators(column('p.company_domain is null')),
    ],
  },
];

/** Terms about the built-in parts of a profile. */
@Injectable()
export class ProfileTerms implements OnModuleInit {
  constructor(private readonly registry: SegmentTerms) {}

  onModuleInit(): void {
    this.registry.add({ terms: () => [...TERMS] });
  }
}
