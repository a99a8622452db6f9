import type { CompanyDto } from '../../../api/endpoints.gen';

export type Company = CompanyDto;
export type CompanyKind = NonNullable<CompanyDto['kind']>;

export const messages = {
  loadFailed: 'The companies could not be loaded.',
  none: 'No companies yet',
  noneText: 'Contacts with an address at a company show up here. Free email domains such as gmail.com are not listed.',
  noMatch: 'No companies found matching your search',
  saved: 'Company Saved!',
  saveFailed: 'Not Saved',
  tryAgain: 'Please try again.',
  cap: 'A number from 1 to 50',
} as const;

export const kindLabels: Record<CompanyKind, string> = {
  vendor: 'Vendor',
  end_client: 'End client',
  own_agency: 'Own agency',
  competitor: 'Competitor',
  other: 'Other',
};
export const kinds = Object.keys(kindLabels) as CompanyKind[];
export const kindChoices = kinds.map((value) => ({ value, label: kindLabels[value] }));

/** Highest value of the cap of people per company and send. */
export const MAX_COMPANY_CAP = 50;
