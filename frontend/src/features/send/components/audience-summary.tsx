import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { isApiError } from '../../../api/api-error';
import { formatCount, plural } from '../../../lib/format';
import { SectionError } from '../../../ui/section-error';
import { usePreview, type SendPreview } from '../api';
import type { Draft } from '../draft';
import { leftOut } from '../left-out';
import { messages } from '../messages';

/** 'n lists selected', the total, and in words who is left out and why. */
export function AudienceSummary({ draft }: { draft: Pick<Draft, 'emailListIds' | 'emailType'> }) {
  const { emailListIds, emailType } = draft;
  const count = emailListIds.length;
  const { currentData, error, isFetching, refetch } = usePreview({ emailListIds, emailType });
  return (
    <Box aria-live="polite" sx={{ display: 'grid', gap: 1.25 }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2.5, flexWrap: 'wrap' }}>
        <Typography sx={{ fontWeight: 580 }}>{plural(count, 'list selected', 'lists selected')}</Typography>
        <Typography color="textSecondary" component="div">
          Total recipients:{' '}
          {isFetching && !currentData && count > 0 ? (
            <Skeleton width={48} sx={{ display: 'inline-block', verticalAlign: 'middle' }} />
          ) : (
            <Typography variant="figure" color="textPrimary" sx={{ fontSize: '1.125rem' }}>
              {count === 0 ? 0 : currentData ? formatCount(currentData.recipientCount) : '–'}
            </Typography>
          )}
        </Typography>
      </Box>
      {count > 0 && currentData && <LeftOut preview={currentData} />}
      {error && !currentData && count > 0 && <PreviewFault error={error} pending={isFetching} onRetry={() => void refetch()} />}
    </Box>
  );
}

/** What keeps the numbers away: a refusal that says what to do, or a fault that may pass. */
export function PreviewFault({ error, pending, onRetry }: { error: unknown; pending: boolean; onRetry: () => void }) {
  if (isApiError(error) && error.status === 403 && error.message) return <Alert severity="warning">{error.message}</Alert>;
  return <SectionError message={messages.previewFailed} pending={pending} onRetry={onRetry} />;
}

/** Who does not get it, and a warning when that is everyone. */
export function LeftOut({ preview }: { preview: SendPreview }) {
  const reasons = leftOut(preview.excluded);
  if (Number(preview.recipientCount) === 0) {
    return <Alert severity="warning">Nobody would get this yet. {reasons ? `Left out: ${reasons}.` : 'These lists have no confirmed contacts.'}</Alert>;
  }
  return reasons ? (
    <Typography variant="body2" color="textSecondary">
      Left out: {reasons}.
    </Typography>
  ) : null;
}
