import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { useTheme } from '@mui/material/styles';
import Typography from '@mui/material/Typography';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../../lib/product';

/** The column of a screen: wide for rows, narrow for a form. */
export function Page({ children, width = 'wide' }: { children: ReactNode; width?: 'wide' | 'narrow' }) {
  return <Box sx={{ maxWidth: width === 'wide' ? 1160 : 820, mx: 'auto', width: '100%' }}>{children}</Box>;
}

interface PageHeaderProps {
  /** The screen's h1, and the browser tab's title unless `tabTitle` is given. */
  title: string;
  tabTitle?: string;
  description?: ReactNode;
  /** Shown before the title, such as a back link. */
  lead?: ReactNode;
  /** Shown beside the title, such as a count or a status. */
  badge?: ReactNode;
  /** The screen's primary action. */
  action?: ReactNode;
  /** The age of the data with its refresh button. */
  freshness?: ReactNode;
}

/** The header of every signed-in screen. */
export function PageHeader({ title, tabTitle, description, lead, badge, action, freshness }: PageHeaderProps) {
  useDocumentTitle(tabTitle ?? title);
  return (
    <Stack component="header" direction="row" sx={{ alignItems: 'flex-start', gap: 1.5, flexWrap: 'wrap', mb: 3 }}>
      {lead && <Box sx={{ mt: '-3px', ml: -1 }}>{lead}</Box>}
      <Box sx={{ flex: '1 1 16rem', minWidth: 0 }}>
        <Stack direction="row" sx={{ alignItems: 'center', gap: 1.25, flexWrap: 'wrap' }}>
          <Typography variant="h1" sx={{ overflowWrap: 'anywhere' }}>
            {title}
          </Typography>
          {badge}
        </Stack>
        {description && (
          <Typography
            color="textSecondary"
            component="div"
            sx={{ mt: 0.5, maxWidth: '68ch', overflowWrap: 'anywhere' }}
          >
            {description}
          </Typography>
        )}
      </Box>
      {(action || freshness) && (
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap', alignItems: 'center' }}>
          {freshness}
          {action}
        </Stack>
      )}
    </Stack>
  );
}

/** Whether the window is narrower than 768 px; grids then stack the content of a row. */
export const useNarrow = (): boolean => useMediaQuery(useTheme().breakpoints.down('md'), { noSsr: true });
