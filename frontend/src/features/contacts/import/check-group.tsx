import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Collapse from '@mui/material/Collapse';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { formatCount, plural } from '../../../lib/format';
import { Tag } from '../../../ui/tag';
import { LEFT_OUT_GROUPS, type GroupCode, type Import } from './api';
import { GroupLines } from './group-lines';
import { useChange } from './use-change';

interface CheckGroupProps {
  found: Import;
  code: GroupCode;
  title: string;
  count: number;
}

/** A group of lines: how many there are, what happens to them, and on demand the lines themselves. */
export function CheckGroup({ found, code, title, count }: CheckGroupProps) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  const isOut = LEFT_OUT_GROUPS.has(code) || (code === 'role' && found.options.roles === 'drop');
  return (
    <Paper component="section" variant="outlined" aria-labelledby={`${id}-title`} sx={{ mb: 1.5 }}>
      <Stack direction="row" sx={{ columnGap: 1.5, px: 2.5, py: 1.25, flexWrap: 'wrap', alignItems: 'center' }}>
        <Box sx={{ flex: '1 1 9rem', minWidth: 0 }}>
          <Typography id={`${id}-title`} variant="h3" component="h2">
            {title}
          </Typography>
          <Typography variant="body2" color="textSecondary">
            {plural(count, 'line')}, {isOut ? 'left out' : becomesOf(code)}
          </Typography>
        </Box>
        <Stack direction="row" sx={{ gap: 1.5, py: 0.5, alignItems: 'center' }}>
          {code === 'role' && <RoleChoice found={found} />}
          <Tag>{formatCount(count)}</Tag>
          <Button
            size="small"
            color="inherit"
            aria-expanded={isOpen}
            aria-controls={`${id}-lines`}
            aria-label={`${isOpen ? 'Hide' : 'Show'} the lines: ${title}`}
            onClick={() => setOpen(!isOpen)}
          >
            {isOpen ? 'Hide' : 'Show'}
          </Button>
        </Stack>
      </Stack>
      <Collapse in={isOpen} unmountOnExit id={`${id}-lines`}>
        <GroupLines importId={found.id} code={code} title={title} />
      </Collapse>
    </Paper>
  );
}

const becomesOf = (code: GroupCode): string =>
  code === 'misfit' ? 'imported without that value' : code === 'do_not_send' ? 'imported, not mailed' : 'imported';

function RoleChoice({ found }: { found: Import }) {
  const { save, isSaving } = useChange(found.id);
  const isKept = found.options.roles === 'keep';
  return (
    <Button
      size="small"
      variant="outlined"
      color="inherit"
      loading={isSaving}
      aria-label={isKept ? 'Leave out role addresses' : 'Keep role addresses'}
      onClick={() => void save({ roles: isKept ? 'drop' : 'keep' })}
    >
      {isKept ? 'Leave out' : 'Keep'}
    </Button>
  );
}
