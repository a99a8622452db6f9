import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useNavigation } from 'react-router-dom';

/** A bar at the top while the code of the next screen is on its way; a quick one passes unseen. */
export function NavigationProgress() {
  if (useNavigation().state === 'idle') return null;
  return (
    <Box sx={{ position: 'fixed', insetInline: 0, top: 0, zIndex: 'tooltip', opacity: 0, animation: 'sc-appear 120ms 120ms forwards', '@keyframes sc-appear': { to: { opacity: 1 } } }}>
      <LinearProgress aria-label="Loading the next screen" sx={{ height: 3 }} />
    </Box>
  );
}
