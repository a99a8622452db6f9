import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { SearchField } from '../../../ui/form/search-field';
import type { ServerGrid } from '../../../ui/grid/use-server-grid';
import { IconDownload } from '../../../ui/icons';

interface LogToolbarProps {
  grid: Pick<ServerGrid, 'search' | 'setSearch'>;
  /** Widths of the search and of the filter, as CSS grid tracks. */
  widths: string;
  csvUrl: string;
  /** The filter. */
  children: ReactNode;
}

/** Search, filter and CSV file of one of a send's logs. */
export function LogToolbar({ grid, widths, csvUrl, children }: LogToolbarProps) {
  return (
    <Box
      sx={{
        display: 'grid',
        gap: 1.25,
        alignItems: 'center',
        gridTemplateColumns: { xs: '1fr', md: `${widths} 1fr` },
      }}
    >
      <SearchField label="Search by address..." value={grid.search} onSearch={grid.setSearch} />
      {children}
      <Button
        component="a"
        href={csvUrl}
        download
        variant="outlined"
        color="inherit"
        startIcon={<IconDownload size={16} aria-hidden />}
        sx={{ justifySelf: { md: 'end' } }}
      >
        Download CSV
      </Button>
    </Box>
  );
}
