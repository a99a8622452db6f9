import type { DefinitionsFromApi, FetchBaseQueryMeta, OverrideResultType } from '@reduxjs/toolkit/query/react';
import { generatedApi } from './endpoints.gen';
import { paged, type Paged } from './paged';

export type Generated = DefinitionsFromApi<typeof generatedApi>;

/** The calls that answer one page of a collection. */
const collections = [
  'listAuditEvents',
  'listEmailLists',
  'listContacts',
  'listProfiles',
  'getTimeline',
  'listSegments',
  'listDoNotSend',
  'listCompanies',
  'listImports',
  'listImportRows',
  'listHistory',
  'listScheduled',
  'listDeliveries',
  'listLeftOut',
  'listInvites',
  'listNotifications',
  'listDrafts',
  'listTemplates',
  'listFiles',
  'listUsers',
  'listPendingUsers',
  'listSubscriptions',
  'listAttestedImports',
  'listReportedFiles',
  'listSuppressions',
  'listSends',
  'listMailSenders',
  'listAllAuditEvents',
] as const satisfies (keyof Generated)[];
export type Collection = (typeof collections)[number];
type RowOf<Definition> = Definition extends { Types?: { ResultType: (infer Row)[] } } ? Row : never;
export type PagedDefinitions = {
  [Name in Collection]: OverrideResultType<Generated[Name], Paged<RowOf<NonNullable<Generated[Name]>>>>;
};

/** Makes a page of an answer. The generated type is an array; the cache holds a page. */
const asPage = {
  transformResponse: (rows: unknown, meta: unknown) => paged(rows as never[], meta as FetchBaseQueryMeta),
};
/** Makes the calls of collections return pages. */
export function pageCollections(): void {
  generatedApi.enhanceEndpoints({ endpoints: Object.fromEntries(collections.map((name) => [name, asPage])) });
}
