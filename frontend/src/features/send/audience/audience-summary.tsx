import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { isApiError } from '../../../api/api-error';
import { formatCount, plural } from '../../../lib/format';
import { SectionError } from '../../../ui/loading/section-error';
import { usePreview, type SendPreview } from '../api';
import type { Draft } from '../draft';
import { exclusionText } from './exclusion-text';
import { messages } from '../messages';

/** 'n lists selected', the number of recipients, and how many contacts are excluded and why. */
export function AudienceSummary({ draft }: { draft: Pick<Draft, 'emailListIds' | 'emailType' | 'audience'> }) {
  const { emailListIds, emailType, audience } = draft;
  const segments = audience.segmentIds.length;
  const count = emailListIds.length + segments;
  const { currentData, error, isFetching, refetch } = usePreview({ emailListIds, emailType, audience });
  return (
    <Box aria-live="polite" sx={{ display: 'grid', gap: 1.25 }}>
      <Box sx={{ display: 'flex', alignItems: 'baseline', gap: 2.5, flexWrap: 'wrap' }}>
        <Typography sx={{ fontWeight: 580 }}>
          {plural(emailListIds.length, 'list selected', 'lists selected')}
          {segments > 0 && `, ${plural(segments, 'segment')}`}
        </Typography>
        <Typography color="textSecondary" component="div">
          Total recipients:{' '}
          {isFetching && !currentData && count > 0 ? (
            <Skeleton width={48} sx={{ display: 'inline-block', verticalAlign: 'middle' }} />
          ) : (
            <Typography variant="figure" color="textPrimary" sx={{ fontSize: '1.125rem' }}>
              {count === 0 ? 0 : currentData ? recipientsText(currentData) : '–'}
            </Typography>
          )}
        </Typography>
      </Box>
      {count > 0 && currentData && <ExclusionSummary preview={currentData} />}
      {error && !currentData && count > 0 && (
        <PreviewError error={error} pending={isFetching} onRetry={() => void refetch()} />
      )}
    </Box>
  );
}

/** Why there are no numbers: the server's refusal, or an error that can be retried. */
export function PreviewError({ error, pending, onRetry }: { error: unknown; pending: boolean; onRetry: () => void }) {
  if (isApiError(error) && [400, 403, 404, 409].includes(error.status) && error.message)
    return <Alert severity="warning">{error.message}</Alert>;
  return <SectionError message={messages.previewFailed} pending={pending} onRetry={onRetry} />;
}

/** The number of recipients, with "about" if it is an estimate. */
export const recipientsText = ({ recipientCount, isAbout }: SendPreview): string =>
  `${isAbout ? 'about ' : ''}${formatCount(recipientCount)}`;

/**
 * Lists why contacts are excluded. Warns if no recipient remains.
 * @param isForecast whether the reasons come from a forecast, which counts each address once and so knows no duplicates
 */
export function ExclusionSummary({ preview, isForecast = false }: { preview: SendPreview; isForecast?: boolean }) {
  if (preview.isAbout)
    return (
      <Typography variant="body2" color="textSecondary">
        {messages.countedAtSending}
      </Typography>
    );
  const { excluded, leftOut = [] } = preview;
  const all = exclusionText(excluded);
  const reasons = isForecast ? exclusionText({ duplicates: excluded.duplicates }) : all;
  if (Number(preview.recipientCount) === 0) {
    return (
      <Alert severity="warning">
        Nobody would get this yet. {all ? `Left out: ${all}.` : 'These lists have no confirmed contacts.'}
      </Alert>
    );
  }
  const hasSamples = leftOut.length > 0;
  return reasons || (isForecast && hasSamples) ? (
    <Box>
      {reasons && (
        <Typography variant="body2" color="textSecondary">
          {isForecast ? `Counted once: ${reasons}.` : `Left out: ${reasons}.`}
        </Typography>
      )}
      {hasSamples && (
        <LeftOutSamples samples={leftOut} summary={isForecast ? 'Who is left out, for example' : 'Who, for example'} />
      )}
    </Box>
  ) : null;
}

/** Some of the people who are left out, each with the reason. */
function LeftOutSamples({ samples, summary }: { samples: NonNullable<SendPreview['leftOut']>; summary: string }) {
  return (
    <Box component="details" sx={{ mt: 0.5, '& summary': { cursor: 'pointer' } }}>
      <Typography component="summary" variant="body2" color="textSecondary">
        {summary}
      </Typography>
      <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5, overflowWrap: 'anywhere' }}>
        {samples.map(({ email, detail }) => (
          <Typography key={email} component="li" variant="body2" color="textSecondary">
            {email}: {detail}
          </Typography>
        ))}
      </Box>
    </Box>
  );
}
