import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import type { Icon } from '../icons';

interface EmptyStateProps {
  icon: Icon;
  title: string;
  text?: string;
  /** What the person can do next. */
  action?: ReactNode;
  dense?: boolean;
}

/** Says that there is nothing to show, and what to do. */
export function EmptyState({ icon: Mark, title, text, action, dense }: EmptyStateProps) {
  return (
    <Stack role="status" sx={{ alignItems: 'center', textAlign: 'center', gap: 1.5, px: 3, py: dense ? 4 : 8 }}>
      <Box sx={{ p: 1.5, borderRadius: 3, bgcolor: 'accentSoft', color: 'primary.main' }}>
        <Mark size={22} aria-hidden />
      </Box>
      <Box sx={{ maxWidth: '46ch' }}>
        <Typography sx={{ fontWeight: 560 }}>{title}</Typography>
        {text && (
          <Typography color="textSecondary" sx={{ mt: 0.5 }}>
            {text}
          </Typography>
        )}
      </Box>
      {action}
    </Stack>
  );
}
