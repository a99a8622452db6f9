import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { BrandMark } from '../../ui/page/brand';

/** Shown while it is not known who is signed in. The mark appears after 250 ms. */
export function Splash() {
  return (
    <Stack
      role="status"
      aria-label="Loading"
      sx={{ minHeight: '100dvh', alignItems: 'center', justifyContent: 'center' }}
    >
      <Box
        sx={{ opacity: 0, animation: 'sc-appear 300ms 250ms forwards', '@keyframes sc-appear': { to: { opacity: 1 } } }}
      >
        <BrandMark size={44} />
      </Box>
    </Stack>
  );
}
