import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Paper from '@mui/material/Paper';
import { DataGrid, type GridColDef, type GridValidRowModel } from '@mui/x-data-grid';
import type { ReactNode } from 'react';
import type { Paged } from '../../api/paged';
import { Freshness, RefreshFailed, shownData, type ShownQuery } from '../freshness';
import { ChoiceField } from '../form/choice-field';
import { QueryError } from '../query-error';
import { useNarrow } from '../use-narrow';
import { Pager } from './pager';
import type { ServerGrid } from './use-server-grid';

/** A column; `wide` ones are left out under 768 px, where a leading column shows their content stacked. */
export type ServerColumn<Row extends GridValidRowModel> = GridColDef<Row> & { wide?: boolean };

/** A paged call as its hook reports it; no data before the first answer. */
export type PageQuery<Row> = ShownQuery<Paged<Row>>;

interface ServerDataGridProps<Row extends GridValidRowModel> {
  label: string;
  grid: ServerGrid;
  query: PageQuery<Row>;
  /** Said where the call failed and the server does not say why. */
  failedText: string;
  columns: readonly ServerColumn<Row>[];
  getRowId?: (row: Row) => string;
  /** A row's height under 768 px, where it holds what the left-out columns show. */
  stackedHeight?: number;
  /** Search and filters, above the rows. */
  toolbar?: ReactNode;
  /** Instead of rows, when there are none. */
  empty: ReactNode;
}

/** Rows that live on the server: it pages by cursor, sorts and searches there, and holds one page. */
export function ServerDataGrid<Row extends GridValidRowModel>(props: ServerDataGridProps<Row>) {
  const { label, grid, query, failedText, columns, getRowId, stackedHeight = 64, toolbar, empty } = props;
  // What the server says has changed is fetched again beside rows that stand: only another question is waited for.
  const isFetching = query.isFetching && query.currentData === undefined;
  const data = shownData(query);
  const rows = data?.rows;
  const total = data?.total ?? 0;
  const [first] = rows ?? [];
  const firstId: unknown = first && (getRowId ? getRowId(first) : first.id);
  const failed = Boolean(query.error) && !data;
  const narrow = useNarrow();
  const hidden = Object.fromEntries(columns.map((column) => [column.field, !(narrow && column.wide)]));
  const sortable = columns.filter(({ sortable: can, field }) => can !== false && field !== 'actions');
  const blank = rows?.length === 0 && !isFetching && grid.page === 0;
  return (
    <Paper variant="outlined" sx={{ overflow: 'hidden' }}>
      {(toolbar || query.fulfilledTimeStamp || (narrow && sortable.length > 0)) && (
        <Box sx={{ p: 1.5, borderBottom: 1, borderColor: 'surface.line', display: 'flex', flexWrap: 'wrap', gap: 1.25, alignItems: 'center', justifyContent: 'flex-end' }}>
          {toolbar && <Box sx={{ flex: '1 1 20rem', minWidth: 0 }}>{toolbar}</Box>}
          {narrow && sortable.length > 0 && <SortField label={label} columns={sortable} grid={grid} />}
          <Freshness query={query} what={label} />
        </Box>
      )}
      <RefreshFailed query={query} />
      {failed && (
        <Box sx={{ p: 2 }}>
          <QueryError query={query} text={failedText} />
        </Box>
      )}
      {!failed && blank && empty}
      {!failed && !blank && (
        <Box aria-busy={isFetching} sx={{ display: 'flex', flexDirection: 'column', position: 'relative' }}>
          {/* Outside the grid: a grid may hold rows only. */}
          {isFetching && Boolean(rows?.length) && <LinearProgress aria-label="Loading" sx={{ position: 'absolute', insetInline: 0, top: 0, zIndex: 1, height: 3 }} />}
          <DataGrid<Row>
            aria-label={label}
            rows={rows ?? []}
            columns={columns.map(({ wide: _wide, ...column }) => ({ disableColumnMenu: true, ...column }))}
            columnVisibilityModel={hidden}
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
            rowSelection={false}
            hideFooter
            rowHeight={narrow ? stackedHeight : 46}
            columnHeaderHeight={narrow ? 0 : 40}
            // On a narrow screen the headers have no height: arrow-up stays in the first row.
            onCellKeyDown={({ id }, event) => {
              if (narrow && event.key === 'ArrowUp' && id === firstId) event.defaultMuiPrevented = true;
            }}
            slotProps={{ loadingOverlay: { noRowsVariant: 'skeleton' } }}
            sx={{ minHeight: rows?.length ? undefined : 320 }}
          />
          <Pager label={label} grid={grid} count={rows?.length ?? 0} total={total} isTotalCapped={data?.isTotalCapped} next={data?.next ?? null} prev={data?.prev} loading={isFetching} />
        </Box>
      )}
    </Paper>
  );
}

/** The order of the rows where no header is shown to press on. */
function SortField<Row extends GridValidRowModel>({ label, columns, grid }: { label: string; columns: readonly ServerColumn<Row>[]; grid: ServerGrid }) {
  const choices = [
    { value: '', label: 'Usual order' },
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
  return <ChoiceField label={`Order of ${label}`} hideLabel value={choices.some((choice) => choice.value === value) ? value : ''} choices={choices} onChange={choose} />;
}
