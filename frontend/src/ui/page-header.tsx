import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { useDocumentTitle } from '../lib/use-document-title';

interface PageHeaderProps {
  /** The screen's one h1, and the browser tab's title unless `tabTitle` says otherwise. */
  title: string;
  tabTitle?: string;
  description?: ReactNode;
  /** Stands before the title: a back arrow. */
  lead?: ReactNode;
  /** Stands beside the title: a count, a status. */
  badge?: ReactNode;
  /** The screen's one primary action, always here. */
  action?: ReactNode;
  /** How old is what the screen shows, and its refresh button. */
  freshness?: ReactNode;
}

/** Head of every signed-in screen. */
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
          <Typography color="textSecondary" component="div" sx={{ mt: 0.5, maxWidth: '68ch', overflowWrap: 'anywhere' }}>
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
