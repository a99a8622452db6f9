import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Checkbox from '@mui/material/Checkbox';
import Link from '@mui/material/Link';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { memo, useCallback, useEffect, useRef, useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount, plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { SearchField } from '../../../ui/form/search-field';
import { IconLists } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { useSendableListSearch, useListById, useSendableLists, type SendableList } from '../api';
import { messages } from '../messages';

interface ListPickerProps {
  chosen: string[];
  onChange: (ids: string[]) => void;
}

const SEARCH_FROM_LISTS = 8;

/** Checkboxes for the lists, each with its name and contact count. */
export function ListPicker({ chosen, onChange }: ListPickerProps) {
  const { data, error, isFetching, refetch } = useSendableLists();
  const [search, setSearch] = useState('');
  const lists = data?.rows ?? [];
  const hasMore = data !== undefined && data.total > lists.length;
  // If the lists do not fit on one page, the server searches them.
  const isSearched = hasMore && search !== '';
  const finds = useSendableListSearch(search, !isSearched);
  const found = isSearched
    ? (finds.currentData?.rows ?? [])
    : lists.filter((list) => list.name.toLowerCase().includes(search.toLowerCase()));
  const others = data ? chosen.filter((id) => ![...lists, ...found].some((list) => list.id === id)) : [];
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id]);
  // The same function in every render, so that a change of one list does not render a thousand rows again.
  const latestToggle = useRef(toggle);
  useEffect(() => {
    latestToggle.current = toggle;
  });
  const onToggle = useCallback((id: string) => latestToggle.current(id), []);
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0 }}>
      <Typography component="legend" variant="subtitle2" sx={{ p: 0, mb: 0.75 }}>
        Recipient lists
      </Typography>
      {lists.length > SEARCH_FROM_LISTS && (
        <Box sx={{ mb: 1.25, maxWidth: 380 }}>
          <SearchField label="Search lists..." value={search} onSearch={setSearch} />
        </Box>
      )}
      {error && !data && (
        <SectionError message={messages.listsFailed} pending={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !error && <PickerSkeleton />}
      {isSearched && !finds.currentData && finds.error && (
        <SectionError message={messages.listsFailed} pending={finds.isFetching} onRetry={() => void finds.refetch()} />
      )}
      {isSearched && !finds.currentData && !finds.error && <PickerSkeleton />}
      {data && lists.length === 0 && <NoLists />}
      {others.map((id) => (
        <OtherList key={id} id={id} onToggle={onToggle} />
      ))}
      {found.length > 0 && (
        <Box sx={{ border: 1, borderColor: 'controlBorder', borderRadius: 2, overflow: 'hidden auto', maxHeight: 340 }}>
          {found.map((list, index) => (
            <ListRow
              key={list.id}
              list={list}
              first={index === 0}
              checked={chosen.includes(list.id)}
              onToggle={onToggle}
            />
          ))}
        </Box>
      )}
      {hasMore && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {`You have ${plural(data.total, 'list')}: the first ${formatCount(lists.length)} stand here, the search finds all.`}
        </Typography>
      )}
      {data && lists.length > 0 && lists.every((list) => list.isDefault) && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          Your own lists stand here as well.{' '}
          <Link component={RouterLink} to={routes.lists.path}>
            Create your first list
          </Link>
        </Typography>
      )}
      {lists.length > 0 && found.length === 0 && (!isSearched || finds.currentData) && (
        <EmptyState dense icon={IconLists} title="No lists found matching your search" />
      )}
    </Box>
  );
}

/** A chosen list that is not on the loaded page. */
function OtherList({ id, onToggle }: { id: string; onToggle: (id: string) => void }) {
  const { data } = useListById(id, false);
  return data ? (
    <Box sx={{ border: 1, borderColor: 'controlBorder', borderRadius: 2, overflow: 'hidden', mb: 1 }}>
      <ListRow list={data} first checked onToggle={onToggle} />
    </Box>
  ) : null;
}

const ListRow = memo(function ListRow({
  list,
  first,
  checked,
  onToggle,
}: {
  list: Pick<SendableList, 'id' | 'name' | 'contactCount'>;
  first: boolean;
  checked: boolean;
  onToggle: (id: string) => void;
}) {
  return (
    <Box
      component="label"
      sx={{
        display: 'flex',
        alignItems: 'center',
        gap: 0.75,
        pl: 0.75,
        pr: 2,
        minHeight: 48,
        cursor: 'pointer',
        borderTop: first ? 0 : 1,
        borderColor: 'divider',
        bgcolor: checked ? 'accentSoft' : 'transparent',
        '&:hover': { bgcolor: checked ? 'accentSoft' : 'surface.raised' },
      }}
    >
      <Checkbox checked={checked} onChange={() => onToggle(list.id)} />
      <Box component="span" sx={{ flex: 1, minWidth: 0, py: 1, fontWeight: 540, overflowWrap: 'anywhere' }}>
        {list.name}
      </Box>
      <Typography
        component="span"
        variant="body2"
        color="textSecondary"
        sx={{ whiteSpace: 'nowrap', fontVariantNumeric: 'tabular-nums' }}
      >
        {plural(list.contactCount, 'contact')}
      </Typography>
    </Box>
  );
});

function PickerSkeleton() {
  return (
    <LoadingRegion label="Loading lists">
      <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 2, px: 2 }}>
        {[0, 1, 2, 3].map((row) => (
          <Skeleton key={row} height={48} width={`${80 - row * 10}%`} />
        ))}
      </Box>
    </LoadingRegion>
  );
}

function NoLists() {
  return (
    <EmptyState
      dense
      icon={IconLists}
      title="You have no lists yet"
      text="Create one and add contacts; once they confirm you can write to them."
      action={
        <Button component={RouterLink} to={routes.lists.path} variant="outlined" color="inherit">
          Go to Email Lists
        </Button>
      }
    />
  );
}
