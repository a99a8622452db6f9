import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { client } from '../../../api/client';
import { GridFilter } from '../../../ui/grid/filter-bar';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { leftOutCsvUrl, messages, type LeftOut } from '../api';
import { LogToolbar } from './log-toolbar';

const reasonWords: Record<LeftOut['reason'], string> = {
  doNotSend: 'On your do-not-send list',
  excludedList: 'On a list you left out',
  excludedSegment: 'In a segment you left out',
  excludedHere: 'Left out of this send',
  companyCap: 'Company limit reached',
};
const reasons = Object.keys(reasonWords) as LeftOut['reason'][];
const choices = [
  { value: '' as const, label: 'All reasons' },
  ...reasons.map((value) => ({ value, label: reasonWords[value] })),
];

const columnsFor = (narrow: boolean): ServerColumn<LeftOut>[] => [
  {
    field: 'email',
    headerName: 'Email',
    flex: 1,
    minWidth: 180,
    sortable: false,
    renderCell: ({ row }) => (
      <Box sx={{ minWidth: 0, lineHeight: 1.4 }}>
        <Typography variant="mono" noWrap title={row.email} sx={{ display: 'block' }}>
          {row.email}
        </Typography>
        {narrow && (
          <Typography variant="caption" color="textSecondary" component="div" noWrap title={row.detail}>
            {row.detail}
          </Typography>
        )}
      </Box>
    ),
  },
  {
    field: 'reason',
    headerName: 'Reason',
    width: 240,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => reasonWords[row.reason],
  },
  {
    field: 'detail',
    headerName: 'Detail',
    flex: 1.4,
    minWidth: 200,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <span title={row.detail}>{row.detail}</span>,
  },
];

/** The people whom the send left out, with the reasons. */
export function LeftOutLog({ entryId }: { entryId: string }) {
  const grid = useServerGrid({ pageSize: 50, filters: { reason: ['', ...reasons] } });
  const { reason } = grid.filters;
  const query = client.useListLeftOutQuery({ id: entryId, ...grid.args, ...(reason && { reason }) });
  const narrow = useNarrow();
  const columns = useMemo(() => columnsFor(narrow), [narrow]);
  return (
    <ServerDataGrid<LeftOut>
      label="people left out"
      grid={grid}
      query={query}
      failedText={messages.leftOutFailed}
      columns={columns}
      toolbar={
        <LogToolbar
          grid={grid}
          widths="minmax(0, 320px) 240px"
          csvUrl={leftOutCsvUrl(entryId, { reason, search: grid.search })}
        >
          <GridFilter grid={grid} name="reason" label="Reason" choices={choices} />
        </LogToolbar>
      }
      empty={<EmptyState dense icon={IconSearch} title="Nobody found matching your search" />}
    />
  );
}
