import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { Component, useEffect, type ReactNode } from 'react';
import { browser, releaseId } from '../../lib/browser';
import { sessionNotes } from '../../lib/storage';
import { IconRetry } from '../../ui/icons';
import { reportError } from './report-error';

const RELOADED_FROM = 'reloaded_from_release';

/** The screen's code is gone because a newer release is deployed. */
const isStaleChunk = (error: unknown) =>
  error instanceof Error && /dynamically imported module|module script failed/i.test(error.message);

/** Shown in place of a screen that threw. The error is reported; the rest of the app keeps working. */
export function BrokenScreen({ error }: { error: unknown }) {
  const stale = isStaleChunk(error);
  useEffect(() => {
    if (!stale) return reportError('screen', error);
    // Reloads once per release, so that a release that stays broken does not reload for ever.
    const release = releaseId();
    if (sessionNotes.read(RELOADED_FROM) === release) return reportError('screen', error);
    if (sessionNotes.write(RELOADED_FROM, release)) browser.reload();
  }, [stale, error]);
  return (
    <Stack role="alert" sx={{ alignItems: 'center', textAlign: 'center', gap: 2, px: 3, py: 10 }}>
      <Box sx={{ maxWidth: '48ch' }}>
        <Typography variant="h1">This screen could not be shown</Typography>
        <Typography color="textSecondary" sx={{ mt: 1 }}>
          {stale
            ? 'A newer version is out. Load the page again to get it.'
            : 'Something went wrong on this screen. Nothing you saved is lost. Load the page again, or open another screen.'}
        </Typography>
      </Box>
      <Button variant="contained" startIcon={<IconRetry size={16} aria-hidden />} onClick={() => browser.reload()}>
        Load again
      </Button>
    </Stack>
  );
}

/** Error boundary that shows BrokenScreen. */
export class ScreenBoundary extends Component<{ children: ReactNode }, { error: unknown }> {
  override state: { error: unknown } = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error };
  }

  override render() {
    return this.state.error === null ? this.props.children : <BrokenScreen error={this.state.error} />;
  }
}
