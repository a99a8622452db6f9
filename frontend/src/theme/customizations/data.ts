import type {} from '@mui/x-data-grid/themeAugmentation';
import type { Components, CssVarsTheme, Theme } from '@mui/material/styles';

type Parts = Components<Omit<Theme, 'components' | 'palette'> & CssVarsTheme>;

/** Data grids and pagination. */
export const data: Parts = {
  MuiDataGrid: {
    styleOverrides: {
      root: ({ theme }) => ({
        border: 0,
        borderRadius: 0,
        fontSize: '0.875rem',
        fontVariantNumeric: 'tabular-nums',
        '--DataGrid-rowBorderColor': theme.vars.palette.divider,
        '& .MuiDataGrid-columnHeaderTitle': {
          fontSize: '0.75rem',
          fontWeight: 600,
          color: theme.vars.palette.text.secondary,
        },
        '& .MuiDataGrid-columnSeparator': { display: 'none' },
        '& .MuiDataGrid-columnHeader, & .MuiDataGrid-cell': { paddingInline: 14 },
        '& .MuiDataGrid-columnHeaderCheckbox, & .MuiDataGrid-cellCheckbox': { paddingInline: 0 },
        '& .MuiDataGrid-cell': { display: 'flex', alignItems: 'center' },
        '& .MuiDataGrid-cell:focus, & .MuiDataGrid-columnHeader:focus': { outline: 'none' },
        '& .MuiDataGrid-cell:focus-visible, & .MuiDataGrid-cell:focus-within:has(:focus-visible), & .MuiDataGrid-columnHeader:focus-visible':
          {
            outline: `2px solid ${theme.vars.palette.primary.main}`,
            outlineOffset: -2,
          },
        '& .MuiDataGrid-row:hover': { backgroundColor: theme.vars.palette.surface.raised },
        '& .MuiDataGrid-footerContainer': { minHeight: 48 },
        '& .MuiTablePagination-root': { color: theme.vars.palette.text.secondary },
      }),
    },
  },
  MuiTablePagination: {
    styleOverrides: { selectLabel: { margin: 0 }, displayedRows: { margin: 0, fontVariantNumeric: 'tabular-nums' } },
  },
};
