import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { IconPlus } from '../../ui/icons';

/** A row of the group. */
export const groupRow = {
  display: 'flex',
  gap: 1.25,
  alignItems: 'center',
  py: 0.5,
  '& + li': { borderTop: 1, borderColor: 'divider' },
} as const;

interface SettingsGroupProps {
  title: string;
  /** Shown if there are no rows. */
  empty: string;
  add: string;
  onAdd: () => void;
  children: ReactNode[];
}

/** A titled list of rows with a button that adds one. */
export function SettingsGroup({ title, empty, add, onAdd, children }: SettingsGroupProps) {
  return (
    <Box>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {title}
      </Typography>
      {children.length === 0 && <Typography color="textSecondary">{empty}</Typography>}
      <Box component="ul" aria-label={title} sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {children}
      </Box>
      <Button
        variant="outlined"
        color="inherit"
        startIcon={<IconPlus size={15} aria-hidden />}
        sx={{ mt: 1.5 }}
        onClick={onAdd}
      >
        {add}
      </Button>
    </Box>
  );
}
