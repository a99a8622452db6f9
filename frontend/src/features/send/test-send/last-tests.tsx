import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import { useTests, type TestMail } from './api';
import { testMessages } from './messages';

const TESTS_SHOWN = 6;

/** The last tests with time and state; renders nothing before the first one. */
export function LastTests() {
  const { data, error, isFetching, refetch } = useTests();
  if (error && !data)
    return <SectionError message={testMessages.testsFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data)
    return (
      <LoadingRegion label="Loading your last tests">
        <Skeleton height={32} />
      </LoadingRegion>
    );
  if (data.length === 0) return null;
  return (
    <Box component="section" aria-label="Last tests" sx={{ borderTop: 1, borderColor: 'divider', pt: 1.5 }}>
      <Typography component="h3" variant="subtitle2" sx={{ fontWeight: 580, mb: 0.5 }}>
        Last tests
      </Typography>
      <Box component="ul" aria-live="polite" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1 }}>
        {data.slice(0, TESTS_SHOWN).map((test) => (
          <Box
            component="li"
            key={test.id}
            sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', columnGap: 1.5, rowGap: 0.25 }}
          >
            <Typography component="span" sx={{ mr: 'auto', minWidth: 0, overflowWrap: 'anywhere' }}>
              {test.address ?? 'A removed tester'}
            </Typography>
            <Typography component="span" variant="body2" color="textSecondary">
              <RelativeTime iso={test.createdAt} />
            </Typography>
            <StatusBadge status={test.status} word={stateOf(test)} />
          </Box>
        ))}
      </Box>
    </Box>
  );
}

function stateOf({ status, reason }: TestMail): string {
  if (status === 'sent') return 'Accepted by the mail server';
  if (status === 'failed') return reason ? `Failed: ${reason}` : 'Failed';
  return reason ? `Tried again soon: ${reason}` : 'On its way';
}
