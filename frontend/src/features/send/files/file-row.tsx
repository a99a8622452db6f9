import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { IconFile, IconX } from '../../../ui/icons';
import { Tooltip } from '../../../ui/tooltip';

interface FileRowProps {
  name: string;
  /** Type and size, or the progress of its upload. */
  details?: ReactNode;
  badge?: ReactNode;
  /** 'Remove Resume.pdf'. */
  removeLabel: string;
  onRemove: () => void;
  children?: ReactNode;
}

/** A file of the email: its name, its state, and its actions. */
export function FileRow({ name, details, badge, removeLabel, onRemove, children }: FileRowProps) {
  return (
    <Box
      component="li"
      aria-label={name}
      sx={{
        display: 'grid',
        gridTemplateColumns: 'auto minmax(0, 1fr) auto',
        columnGap: 1.5,
        rowGap: 1.25,
        alignItems: 'start',
        p: 1.5,
        border: 1,
        borderColor: 'divider',
        borderRadius: 2,
      }}
    >
      <Box sx={{ color: 'text.secondary', mt: 0.375 }}>
        <IconFile size={18} aria-hidden />
      </Box>
      <Box sx={{ minWidth: 0 }}>
        <Box sx={{ display: 'flex', flexWrap: 'wrap', columnGap: 1.5, rowGap: 0.5, alignItems: 'center' }}>
          <Typography sx={{ fontWeight: 560, overflowWrap: 'anywhere', minWidth: 0 }}>{name}</Typography>
          {badge}
        </Box>
        {details && (
          <Typography variant="body2" color="textSecondary" component="div" sx={{ mt: 0.5, overflowWrap: 'anywhere' }}>
            {details}
          </Typography>
        )}
      </Box>
      <Tooltip title={removeLabel.split(' ')[0] ?? ''}>
        <IconButton size="small" aria-label={removeLabel} onClick={onRemove}>
          <IconX size={17} aria-hidden />
        </IconButton>
      </Tooltip>
      {children && <Box sx={{ gridColumn: { xs: '1 / -1', sm: '2 / -1' }, minWidth: 0 }}>{children}</Box>}
    </Box>
  );
}
