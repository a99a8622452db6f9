import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { BrandMark } from '../../ui/brand';
import { SectionError } from '../../ui/section-error';

/** While it is not yet known who is signed in: the mark, after a moment. */
export function Splash() {
  return (
    <Stack role="status" aria-label="Loading" sx={{ minHeight: '100dvh', alignItems: 'center', justifyContent: 'center' }}>
      <Box sx={{ opacity: 0, animation: 'sc-appear 300ms 250ms forwards', '@keyframes sc-appear': { to: { opacity: 1 } } }}>
        <BrandMark size={44} />
      </Box>
    </Stack>
  );
}

/** The server did not say who is signed in. */
export function SplashError({ onRetry }: { onRetry: () => void }) {
  return (
    <Stack component="main" sx={{ minHeight: '100dvh', alignItems: 'center', justifyContent: 'center', p: 2 }}>
      <Box sx={{ maxWidth: 460, width: '100%' }}>
        <SectionError message="Staffcast could not be reached. Check your connection and try again." onRetry={onRetry} />
      </Box>
    </Stack>
  );
}
