import Button from '@mui/material/Button';
import { Link } from 'react-router-dom';
import type { ProfileFilter } from '../../../api/endpoints.gen';
import { NEW_SEGMENT, segmentPath } from '../../../lib/routes';
import { isGroup, type StoredFilter } from './filter';
import { filterOfContacts } from './filter-of-contacts';

/**
 * Leads to the segment builder, which has all conditions, with the contacts page's search and filters as its first
 * rules. A chosen segment is opened itself.
 */
export function MoreFilters({ filter }: { filter: ProfileFilter }) {
  const first = filterOfContacts(filter);
  return (
    <Button
      component={Link}
      to={segmentPath(filter.segment ?? NEW_SEGMENT)}
      state={!filter.segment && first.rules.length > 0 ? { filter: first } : undefined}
      variant="outlined"
      color="inherit"
      aria-label="More filters"
    >
      More
    </Button>
  );
}

/** The first rules of a new segment, from the state of the history entry. */
export function filterInState({ filter }: Record<string, unknown>): StoredFilter | undefined {
  return typeof filter === 'object' && filter !== null && isGroup<StoredFilter>(filter) ? filter : undefined;
}
