import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { client } from '../../api/client';
import { formatTotal } from '../../lib/format';
import { importPath } from '../../lib/routes';
import { FilterSelect } from '../../ui/form/filter-select';
import { FilterBar, GridFilter } from '../../ui/grid/filter-bar';
import { ServerDataGrid } from '../../ui/grid/server-data-grid';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconPlus, IconSearch, IconUsers, IconX } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { useNarrow } from '../../ui/page/page';
import { lookOf } from '../../ui/status-badge';
import { messages, useOwnLists, useTagNames, type Consent, type Profile } from './api';
import { BulkActionsBar } from './bulk-actions-bar';
import { MoreFilters } from './segments/more-filters';
import { SaveAsSegment } from './segments/save-as-segment';
import { ColumnsMenu } from './columns-menu';
import { profileColumns } from './profile-columns';

const UUID = /^[0-9a-f-]{36}$/i;
const MAX_SEGMENTS = 500;
const consents: readonly Consent[] = ['mailable', 'pending', 'left', 'bounced', 'complained', 'none'];
const consentChoices = [
  { value: '' as const, label: 'Any consent' },
  ...consents.map((value) => ({ value, label: lookOf(value).word })),
];

/** All contacts of the account: paged, sorted, searched and filtered on the server. */
export function ProfilesGrid({ onAdd }: { onAdd: () => void }) {
  const grid = useServerGrid({
    filters: { consent: ['', ...consents] },
    values: {
      segment: UUID,
      list: UUID,
      import: UUID,
      tag: /^[1-9]\d{0,9}$/,
      domain: /^[^\s/]{1,253}$/,
    },
  });
  const { consent } = grid.filters;
  const { segment, list, import: importId, tag, domain } = grid.values;
  const filter = {
    ...(consent && { consent }),
    ...(list && { list }),
    ...(tag && { tag: Number(tag) }),
    ...(domain && { domain }),
    ...(importId && { import: importId }),
    ...(segment && { segment }),
  };
  const narrowed = { ...filter, ...(grid.search && { search: grid.search }) };
  const query = client.useListProfilesQuery({ ...grid.args, ...filter });
  const [selected, setSelected] = useState<string[]>([]);
  // Actions apply only to selected rows that are still on the page.
  const shown = new Set(query.currentData?.rows.map(({ id }) => id));
  const ids = selected.filter((id) => shown.has(id));
  const narrow = useNarrow();
  const tags = useTagNames();
  const { setValue } = grid;
  const { lists } = useOwnLists();
  const { data: choice } = client.useGetContactColumnsQuery();
  const { data: fields } = client.useListContactFieldsQuery();
  const columns = useMemo(
    () =>
      profileColumns({
        narrow,
        chosen: choice?.columns ?? [],
        fields: fields ?? [],
        tags,
        lists: new Map(lists.map(({ id, name }) => [id, name])),
        onCompany: (of) => setValue('domain', of),
      }),
    [narrow, choice, fields, tags, lists, setValue],
  );
  const isFiltered = Object.keys(narrowed).length > 0;
  return (
    <>
      <ServerDataGrid<Profile>
        label="contacts"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={96}
        toolbar={
          <FilterBar label="Search name, email, company..." grid={grid}>
            <SegmentFilter value={segment ?? ''} onChange={(value) => grid.setValue('segment', value)} />
            <ListFilter value={list ?? ''} onChange={(value) => grid.setValue('list', value)} />
            <TagFilter tags={tags} value={tag ?? ''} onChange={(value) => grid.setValue('tag', value)} />
            <GridFilter grid={grid} name="consent" label="Consent" choices={consentChoices} />
            {domain && (
              <Button
                variant="outlined"
                color="inherit"
                endIcon={<IconX size={14} aria-hidden />}
                aria-label={`Show all companies, not only ${domain}`}
                onClick={() => grid.setValue('domain', '')}
              >
                {domain}
              </Button>
            )}
            {importId && (
              <Button
                variant="outlined"
                color="inherit"
                endIcon={<IconX size={14} aria-hidden />}
                aria-label="Show all contacts, not only those of one import"
                onClick={() => grid.setValue('import', '')}
              >
                Added by one import
              </Button>
            )}
            {!importId && <MoreFilters filter={narrowed} />}
            {!narrow && choice && fields && <ColumnsMenu chosen={choice.columns} fields={fields} />}
            {/* Last, so that the other controls stay where they are when it appears. */}
            {isFiltered && !segment && !importId && <SaveAsSegment filter={narrowed} />}
          </FilterBar>
        }
        empty={<NoContacts filtered={isFiltered} onAdd={onAdd} />}
        selection={{ ids, onChange: setSelected }}
      />
      {ids.length > 0 && query.currentData && (
        <BulkActionsBar
          // A change of the selection or the filter changes the key, which resets 'all that the filter finds'.
          key={JSON.stringify([filter, grid.search, ids])}
          ids={ids}
          filter={narrowed}
          found={{ total: query.currentData.total, text: formatTotal(query.currentData) }}
          onDone={() => setSelected([])}
        />
      )}
    </>
  );
}

interface ValueFilterProps {
  value: string;
  onChange: (value: string) => void;
}

/** Filter by one of the account's segments; hidden while there are none. */
function SegmentFilter({ value, onChange }: ValueFilterProps) {
  const { data } = client.useListSegmentsQuery({ limit: MAX_SEGMENTS, sort: 'name' });
  const segments = data?.rows ?? [];
  if (segments.length === 0) return null;
  const choices = [
    { value: '', label: 'All segments' },
    ...segments.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <FilterSelect label="Segment" hideLabel value={knownOf(value, choices)} choices={choices} onChange={onChange} />
  );
}

function ListFilter({ value, onChange }: ValueFilterProps) {
  const { lists } = useOwnLists();
  const choices = [{ value: '', label: 'All lists' }, ...lists.map(({ id, name }) => ({ value: id, label: name }))];
  return <FilterSelect label="List" hideLabel value={knownOf(value, choices)} choices={choices} onChange={onChange} />;
}

function TagFilter({ tags, value, onChange }: ValueFilterProps & { tags: ReadonlyMap<number, string> }) {
  const choices = [
    { value: '', label: 'All tags' },
    ...[...tags].map(([id, name]) => ({ value: String(id), label: name })),
  ];
  return <FilterSelect label="Tag" hideLabel value={knownOf(value, choices)} choices={choices} onChange={onChange} />;
}

/** The filter value from the URL; '' if it is not among the options. */
const knownOf = (value: string, choices: readonly { value: string }[]) =>
  choices.some((choice) => choice.value === value) ? value : '';

function NoContacts({ filtered, onAdd }: { filtered: boolean; onAdd: () => void }) {
  if (filtered) return <EmptyState dense icon={IconSearch} title={messages.noMatch} />;
  return (
    <EmptyState
      icon={IconUsers}
      title={messages.noneYet}
      text={messages.noneYetText}
      action={
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', justifyContent: 'center' }}>
          <Button component={Link} to={importPath()} variant="outlined" color="inherit">
            Import contacts
          </Button>
          <Button variant="contained" startIcon={<IconPlus size={17} aria-hidden />} onClick={onAdd}>
            Add Contact
          </Button>
        </Stack>
      }
    />
  );
}
