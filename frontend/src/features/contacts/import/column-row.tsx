import Box from '@mui/material/Box';
import MenuItem from '@mui/material/MenuItem';
import TextField from '@mui/material/TextField';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { IconArrowRight } from '../../../ui/icons';
import { Tag } from '../../../ui/tag';
import type { CustomField } from '../api';
import type { ImportColumn } from './api';
import { NEW_FIELD, targetChoices } from './targets';

interface ColumnRowProps {
  column: ImportColumn;
  fields: readonly CustomField[];
  isFirst: boolean;
  onTarget: (target: ImportColumn['target']) => void;
  onNewField: () => void;
}

const sources = { guessed: 'Guessed', remembered: 'As last time', chosen: null } as const;

/** A column of the file with three of its values, and its target. */
export function ColumnRow({ column, fields, isFirst, onTarget, onNewField }: ColumnRowProps) {
  const id = useId();
  const { header, samples, target, from } = column;
  const source = from && target !== 'ignore' ? sources[from] : null;
  return (
    <Box
      component="li"
      sx={{
        display: 'grid',
        alignItems: 'center',
        gap: { xs: 1, sm: 2 },
        gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 1fr) auto minmax(0, 340px)' },
        px: 2.5,
        py: 1.5,
        borderTop: isFirst ? 0 : 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Typography id={id} sx={{ fontWeight: 560, overflowWrap: 'anywhere' }}>
          {header}
        </Typography>
        <Typography variant="body2" color="textSecondary" noWrap title={samples.join(' · ')}>
          {samples.length > 0 ? samples.join(' · ') : 'Empty in the first rows'}
        </Typography>
      </Box>
      <Box sx={{ display: { xs: 'none', sm: 'block' }, color: 'text.secondary' }}>
        <IconArrowRight size={16} aria-hidden />
      </Box>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 1, minWidth: 0 }}>
        <TextField
          select
          fullWidth
          value={target}
          onChange={({ target: { value } }) =>
            value === NEW_FIELD ? onNewField() : onTarget(value as ImportColumn['target'])
          }
          slotProps={{ select: { SelectDisplayProps: { 'aria-labelledby': id } } }}
          sx={{ minWidth: 0 }}
        >
          {targetChoices(fields, target).map(({ value, label }) => (
            <MenuItem key={value} value={value}>
              {label}
            </MenuItem>
          ))}
        </TextField>
        {/* Always takes the same space, so that the selects are aligned. */}
        <Box sx={{ flexShrink: 0, width: { sm: 96 } }}>
          {source && <Tag accent={from === 'remembered'}>{source}</Tag>}
        </Box>
      </Box>
    </Box>
  );
}
