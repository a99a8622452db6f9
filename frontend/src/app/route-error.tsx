import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { useRouteError } from 'react-router-dom';
import { browser } from '../lib/browser';
import { releaseId } from '../lib/release';
import { sessionNotes } from '../lib/storage';
import { IconRetry } from '../ui/icons';
import { reportError } from './report-error';

const RELOADED_FROM = 'reloaded_from_release';

/** A screen whose code is gone because a newer release is out. */
const isStaleChunk = (error: unknown) => error instanceof Error && /dynamically imported module|module script failed/i.test(error.message);

/** What stands where a screen broke. The rest of the app goes on, and the server's log is told. */
export function RouteError() {
  const error = useRouteError();
  const stale = isStaleChunk(error);
  useEffect(() => {
    if (!stale) return reportError('screen', error);
    // Once for each release: where its newer one is not there either, loading again would never end.
    const release = releaseId();
    if (sessionNotes.read(RELOADED_FROM) === release) return reportError('screen', error);
    if (sessionNotes.write(RELOADED_FROM, release)) browser.reload();
  }, [stale, error]);
  return (
    <Stack role="alert" sx={{ alignItems: 'center', textAlign: 'center', gap: 2, px: 3, py: 10 }}>
      <Box sx={{ maxWidth: '48ch' }}>
        <Typography variant="h1">This screen could not be shown</Typography>
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          {stale ? 'A newer version is out. Load the page again to get it.' : 'Something in it broke. Nothing you saved is lost; load the page again, or go on elsewhere.'}
        </Typography>
      </Box>
      <Button variant="contained" startIcon={<IconRetry size={16} aria-hidden />} onClick={() => browser.reload()}>
        Load again
      </Button>
    </Stack>
  );
}
