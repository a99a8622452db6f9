import type { ProfileFilter } from '../../../api/endpoints.gen';
import type { StoredFilter, StoredRule } from './filter';

const rule = (field: string, operator: string, value: unknown): StoredRule => ({ field, operator, value });

/** A filter that looks in the same parts of a contact as the search on the contacts page. */
const searched = (text: string): StoredFilter => ({
  combinator: 'or',
  rules: [
    rule('email', 'contains', text),
    rule('firstName', 'startsWith', text),
    rule('lastName', 'startsWith', text),
    rule('company', 'startsWith', text),
  ],
});

/** The search and the filters of the contacts page, as a segment's filter. */
export function filterOfContacts({ search, list, tag, consent, domain }: ProfileFilter): StoredFilter {
  const text = search?.trim();
  return {
    combinator: 'and',
    rules: [
      ...(list ? [rule('list', 'anyOf', { values: [list], state: 'present' })] : []),
      ...(tag === undefined ? [] : [rule('tags', 'anyOf', [String(tag)])]),
      ...(consent ? [rule('consent', 'isOneOf', [consent])] : []),
      ...(domain ? [rule('companyDomain', 'is', domain)] : []),
      ...(text ? [searched(text)] : []),
    ],
  };
}
