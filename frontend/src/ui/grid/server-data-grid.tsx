import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import { DataGrid, type GridColDef, type GridRowId, type GridValidRowModel } from '@mui/x-data-grid';
import type { ReactNode } from 'react';
import type { Paged } from '../../api/paged';
import { FilterSelect } from '../form/filter-select';
import { DataAge, RefreshFailed, shownData, type ShownQuery } from '../loading/data-age';
import { QueryError } from '../loading/section-error';
import { useNarrow } from '../page/page';
import { Pager } from './pager';
import type { ServerGrid } from './use-server-grid';

/** A column. `hideOnMobile` hides it under 768 px, where the first column shows its content. */
export type ServerColumn<Row extends GridValidRowModel> = GridColDef<Row> & { hideOnMobile?: boolean };

/** The last column, with the actions of a row. */
export const actionsColumn = <Row extends GridValidRowModel>(
  width: number,
  renderCell: ServerColumn<Row>['renderCell'],
): ServerColumn<Row> => ({
  field: 'actions',
  headerName: 'Actions',
  width,
  align: 'right',
  headerAlign: 'right',
  sortable: false,
  renderCell,
});

/** A paged query as its hook returns it. It has no data before the first answer. */
export type PageQuery<Row> = ShownQuery<Paged<Row>>;

interface ServerDataGridProps<Row extends GridValidRowModel> {
  label: string;
  grid: ServerGrid;
  query: PageQuery<Row>;
  /** Shown when the query failed and the server sent no text. */
  failedText: string;
  columns: readonly ServerColumn<Row>[];
  getRowId?: (row: Row) => string;
  /** The row height under 768 px, where the first column also shows the hidden columns. */
  stackedHeight?: number;
  /** Search and filters above the rows. */
  toolbar?: ReactNode;
  /** Shown when there are no rows. */
  empty: ReactNode;
  /** Makes rows selectable. `ids` are the selected rows of this page. */
  selection?: { ids: readonly string[]; onChange: (ids: string[]) => void };
}

/** A grid of rows that the server pages by cursor, sorts and searches. It holds one page. */
export function ServerDataGrid<Row extends GridValidRowModel>(props: ServerDataGridProps<Row>) {
  const { label, grid, query, failedText, columns, getRowId, stackedHeight = 64, toolbar, empty, selection } = props;
  // A refetch after a change keeps the rows, so only changed arguments count as loading.
  const isFetching = query.isFetching && query.currentData === undefined;
  const data = shownData(query);
  const rows = data?.rows;
  const total = data?.total ?? 0;
  const [first] = rows ?? [];
  const firstId: unknown = first && (getRowId ? getRowId(first) : first.id);
  const failed = Boolean(query.error) && !data;
  const narrow = useNarrow();
  const columnVisibility = Object.fromEntries(
    columns.map((column) => [column.field, !(narrow && column.hideOnMobile)]),
  );
  const sortable = columns.filter(({ sortable: can, field }) => can !== false && field !== 'actions');
  const isEmpty = rows?.length === 0 && !isFetching && grid.page === 0;
  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
      {(toolbar || query.fulfilledTimeStamp || (narrow && sortable.length > 0)) && (
        <Box
          sx={{
            p: 1.5,
            borderBottom: 1,
            borderColor: 'divider',
            display: 'flex',
            flexWrap: 'wrap',
            gap: 1.25,
            alignItems: 'center',
            justifyContent: 'flex-end',
          }}
        >
          {toolbar && <Box sx={{ flex: '1 1 20rem', minWidth: 0 }}>{toolbar}</Box>}
          {narrow && sortable.length > 0 && <SortField label={label} columns={sortable} grid={grid} />}
          <DataAge query={query} name={label} />
        </Box>
      )}
      <RefreshFailed query={query} />
      {failed && (
        <Box sx={{ p: 2 }}>
          <QueryError query={query} text={failedText} />
        </Box>
      )}
      {!failed && isEmpty && empty}
      {!failed && !isEmpty && (
        <Box aria-busy={isFetching} sx={{ display: 'flex', flexDirection: 'column', position: 'relative' }}>
          {/* Outside the grid, whose ARIA role allows only rows as children. */}
          {isFetching && Boolean(rows?.length) && (
            <LinearProgress
              aria-label="Loading"
              sx={{ position: 'absolute', insetInline: 0, top: 0, zIndex: 1, height: 3 }}
            />
          )}
          <DataGrid<Row>
            aria-label={label}
            rows={rows ?? []}
            columns={columns.map(({ hideOnMobile: _hideOnMobile, ...column }) => ({
              disableColumnMenu: true,
              ...column,
            }))}
            columnVisibilityModel={columnVisibility}
            getRowId={getRowId}
            rowCount={total}
            loading={isFetching && !rows?.length}
            paginationMode="server"
            paginationModel={{ page: 0, pageSize: grid.pageSize }}
            sortingMode="server"
            sortModel={grid.sort ? [grid.sort] : []}
            onSortModelChange={([first]) => grid.setSort(first?.sort ? { field: first.field, sort: first.sort } : null)}
            filterMode="server"
            disableColumnFilter
            disableColumnSelector
            disableColumnResize
            disableRowSelectionOnClick
            rowSelection={selection !== undefined}
            checkboxSelection={selection !== undefined}
            rowSelectionModel={{ type: 'include', ids: new Set<GridRowId>(selection?.ids) }}
            onRowSelectionModelChange={({ type, ids }) =>
              selection?.onChange(
                (rows ?? [])
                  .map((row) => String(getRowId ? getRowId(row) : row.id))
                  // The grid reports 'all selected' as an exclusion of the unselected rows.
                  .filter((id) => ids.has(id) === (type === 'include')),
              )
            }
            // The grid is as high as its page, so all rows are drawn anyway. Virtualization could leave out columns
            // because of an outdated scroll position, for example when a phone is turned, and leave rows without cells.
            disableVirtualization
            hideFooter
            rowHeight={narrow ? stackedHeight : 46}
            columnHeaderHeight={narrow ? 0 : 40}
            // On a narrow screen the headers have no height, so arrow-up must stay in the first row.
            onCellKeyDown={({ id }, event) => {
              if (narrow && event.key === 'ArrowUp' && id === firstId) event.defaultMuiPrevented = true;
            }}
            slotProps={{
              loadingOverlay: { noRowsVariant: 'skeleton' },
              // Disabled until the rows of the current page are there, because an earlier click would be lost.
              ...((isFetching || !rows?.length) && { baseCheckbox: { disabled: true } }),
            }}
            sx={{
              minHeight: rows?.length ? undefined : 320,
              // A tinted row would reduce the contrast of the badges on it.
              '& .MuiDataGrid-row.Mui-selected, & .MuiDataGrid-row.Mui-selected:hover': {
                bgcolor: 'transparent',
                boxShadow: (theme) => `inset 3px 0 0 ${theme.vars?.palette.primary.main ?? theme.palette.primary.main}`,
              },
            }}
          />
          <Pager label={label} grid={grid} page={data} loading={isFetching} />
        </Box>
      )}
    </Paper>
  );
}

/** Sorts the rows when the headers are hidden. */
function SortField<Row extends GridValidRowModel>({
  label,
  columns,
  grid,
}: {
  label: string;
  columns: readonly ServerColumn<Row>[];
  grid: ServerGrid;
}) {
  const choices = [
    { value: '', label: 'Default order' },
    ...columns.flatMap(({ field, headerName = field }) => [
      { value: `${field} asc`, label: `${headerName}, ascending` },
      { value: `${field} desc`, label: `${headerName}, descending` },
    ]),
  ];
  const choose = (value: string) => {
    const [field, sort] = value.split(' ');
    grid.setSort(field ? { field, sort: sort === 'desc' ? 'desc' : 'asc' } : null);
  };
  const value = grid.sort ? `${grid.sort.field} ${grid.sort.sort}` : '';
  return (
    <FilterSelect
      label={`Order of ${label}`}
      hideLabel
      value={choices.some((choice) => choice.value === value) ? value : ''}
      choices={choices}
      onChange={choose}
    />
  );
}
