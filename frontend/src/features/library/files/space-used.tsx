import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { useFileSpace } from '../../../shared/files/documents';
import { sizeText } from '../../../shared/files/file-texts';

/** Share of the space, 0 to 1, from which the bar warns. */
const WARNING_SHARE = 0.9;

/** '48 MB of 200 MB used'. Renders nothing while the numbers are unknown. */
export function SpaceUsed() {
  const id = useId();
  const { data } = useFileSpace();
  if (!data) return null;
  const { usedBytes, limitBytes } = data;
  const share = Math.min(1, usedBytes / limitBytes);
  const text = `${usedBytes === 0 ? '0 MB' : sizeText(usedBytes)} of ${sizeText(limitBytes)} used`;
  return (
    <Box sx={{ maxWidth: 320 }}>
      <Typography id={id} variant="body2" color="textSecondary" sx={{ mb: 0.75, fontVariantNumeric: 'tabular-nums' }}>
        {text}
      </Typography>
      <LinearProgress
        variant="determinate"
        value={share * 100}
        color={share >= WARNING_SHARE ? 'warning' : 'primary'}
        aria-labelledby={id}
      />
    </Box>
  );
}
