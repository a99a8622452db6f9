import Box from '@mui/material/Box';
import type { ReactNode } from 'react';
import type { ServerGrid } from '../../../ui/grid/use-server-grid';
import { SearchField } from '../../../ui/search-field';

/** Search and filters above rows. */
export function FilterBar({ label, grid, children }: { label: string; grid: ServerGrid; children?: ReactNode }) {
  return (
    <Box sx={{ display: 'flex', gap: 1.25, flexWrap: 'wrap', '& > *': { flex: { xs: '1 1 100%', md: '0 1 200px' } }, '& > :first-of-type': { flexBasis: { md: '360px' } } }}>
      <SearchField label={label} value={grid.search} onSearch={grid.setSearch} />
      {children}
    </Box>
  );
}
