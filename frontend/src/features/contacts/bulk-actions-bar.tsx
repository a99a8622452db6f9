import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import type { ProfileFilter } from '../../api/endpoints.gen';
import { formatCount } from '../../lib/format';
import { bulkLabels, BulkDialog, type BulkAction } from './bulk-dialog';

const actions = Object.entries(bulkLabels) as [BulkAction, string][];

interface BulkActionsBarProps {
  ids: readonly string[];
  /** The filter of the rows, for changing all contacts that it finds. */
  filter: ProfileFilter;
  /** Number of contacts that the filter finds, as shown under the rows. */
  found: { total: number; text: string };
  onDone: () => void;
}

/** Actions on the selected contacts. Stays visible at the bottom of the page; the server carries the action out. */
export function BulkActionsBar({ ids, filter, found, onDone }: BulkActionsBarProps) {
  const [isAll, setAll] = useState(false);
  const [action, setAction] = useState<BulkAction | null>(null);
  const target = isAll ? { filter } : { ids: [...ids] };
  const count = isAll ? found.text : formatCount(ids.length);
  return (
    <Paper
      component="section"
      aria-label="Selected contacts"
      elevation={6}
      sx={{
        position: 'sticky',
        bottom: 12,
        zIndex: 2,
        mt: 2,
        p: 1.25,
        display: 'flex',
        gap: 1,
        flexWrap: 'wrap',
        alignItems: 'center',
      }}
    >
      <Typography role="status" sx={{ fontWeight: 580, mr: 'auto', px: 0.75 }}>
        {count} selected
      </Typography>
      {!isAll && found.total > ids.length && (
        <Button size="small" onClick={() => setAll(true)}>
          Select all {found.text} found
        </Button>
      )}
      {actions.map(([one, label]) => (
        <Button
          key={one}
          size="small"
          variant="outlined"
          color={one === 'delete' ? 'error' : 'inherit'}
          onClick={() => setAction(one)}
        >
          {label}
        </Button>
      ))}
      <Button size="small" color="inherit" onClick={onDone}>
        Clear
      </Button>
      {action && (
        <BulkDialog
          action={action}
          target={target}
          title={`${bulkLabels[action]}: ${count} ${isAll || ids.length !== 1 ? 'contacts' : 'contact'}`}
          onClose={() => setAction(null)}
          onStarted={onDone}
        />
      )}
    </Paper>
  );
}
