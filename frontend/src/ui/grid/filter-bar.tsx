import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import { FilterSelect } from '../form/filter-select';
import { SearchField } from '../form/search-field';
import { FilterSheet } from './filter-sheet';
import type { Filters, ServerGrid } from './use-server-grid';

/** The search and the filters above a grid; on a phone the filters are in a sheet. */
export function FilterBar({ label, grid, children }: { label: string; grid: ServerGrid; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 1.25, flexWrap: 'wrap' }}>
      <Box
        sx={{
          flex: { xs: '1 1 11rem', md: '1 1 200px' },
          minWidth: 0,
          maxWidth: { md: 360 },
          '& > *': { width: '100%' },
        }}
      >
        <SearchField label={label} value={grid.search} onSearch={grid.setSearch} />
      </Box>
      {children && <FilterSheet active={grid.activeFilters}>{children}</FilterSheet>}
    </Box>
  );
}

/** A select for one of the grid's filters. */
export function GridFilter<F extends Filters, Name extends keyof F & string>({
  grid,
  name,
  label,
  choices,
}: {
  grid: ServerGrid<F>;
  name: Name;
  label: string;
  choices: readonly { value: F[Name][number]; label: string }[];
}) {
  return (
    <FilterSelect<F[Name][number]>
      label={label}
      hideLabel
      value={grid.filters[name]}
      choices={choices}
      onChange={(value) => grid.setFilter(name, value)}
    />
  );
}
