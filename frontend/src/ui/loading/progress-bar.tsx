import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { formatCount } from '../../lib/format';

interface ProgressBarProps {
  label: string;
  done: number;
  total: number;
  /** 'about 4 minutes left'. */
  note?: string;
}

/** A progress bar with its numbers. */
export function ProgressBar({ label, done, total, note }: ProgressBarProps) {
  const id = useId();
  const percent = total > 0 ? Math.min(100, (done / total) * 100) : 0;
  return (
    <Box>
      <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 2, mb: 1 }}>
        <Typography id={id} variant="subtitle2">
          {label}
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {total > 0 ? `${formatCount(done)} of ${formatCount(total)} (${Math.floor(percent)}%)` : 'Starting'}
        </Typography>
      </Stack>
      <LinearProgress
        variant={total > 0 ? 'determinate' : 'indeterminate'}
        value={percent}
        aria-labelledby={id}
        aria-valuetext={total > 0 ? `${formatCount(done)} of ${formatCount(total)}` : undefined}
      />
      {note && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {note}
        </Typography>
      )}
    </Box>
  );
}
