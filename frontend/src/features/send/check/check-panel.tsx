import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { isApiError } from '../../../api/api-error';
import { plural } from '../../../lib/format';
import { SectionError } from '../../../ui/loading/section-error';
import { VisuallyHidden } from '../../../ui/visually-hidden';
import { messages } from '../messages';
import { CheckRow, type RowActions } from './check-row';
import { ForecastLine } from './forecast-line';
import type { useSendCheck } from './use-send-check';

const groups = [
  { level: 'error', name: 'To fix' },
  { level: 'warning', name: 'Worth a look' },
  { level: 'hint', name: 'Hints' },
  { level: 'passed', name: 'Fine' },
] as const;

/** Whom the email reaches, and one calm list of what to fix, what is worth a look and what is fine. */
export function CheckPanel({
  query: { check, error, isFetching, isLookingUp, refetch },
  actions,
}: {
  query: ReturnType<typeof useSendCheck>;
  actions: RowActions;
}) {
  const countOf = (level: (typeof groups)[number]['level']) =>
    check?.items.filter((item) => item.level === level).length ?? 0;
  return (
    <Stack component="section" aria-labelledby="send-check" sx={{ gap: 1.5, mt: 3 }}>
      {check?.forecast && <ForecastLine forecast={check.forecast} />}
      {check && !check.forecast && <Alert severity="warning">{messages.previewFailed}</Alert>}
      <Typography variant="h3" id="send-check">
        Check
      </Typography>
      {error ? (
        <CheckError error={error} pending={isFetching} onRetry={() => void refetch()} />
      ) : check ? (
        groups
          .filter(({ level }) => countOf(level) > 0)
          .map(({ level, name }) => {
            const rows = (
              <Stack component="ul" sx={{ m: 0, p: 0, gap: 1, listStyle: 'none' }}>
                {check.items
                  .filter((item) => item.level === level)
                  .map((item, place) => (
                    <CheckRow key={`${item.code}-${place}`} item={item} actions={actions} />
                  ))}
              </Stack>
            );
            const title = `${name} (${countOf(level)})`;
            return level === 'passed' ? (
              <Box key={level} component="details" sx={{ '& summary': { cursor: 'pointer', mb: 1 } }}>
                <Typography component="summary" variant="subtitle2">
                  {title}
                </Typography>
                {rows}
              </Box>
            ) : (
              <Box key={level}>
                <Typography component="h4" variant="subtitle2" sx={{ mb: 1 }}>
                  {title}
                </Typography>
                {rows}
              </Box>
            );
          })
      ) : (
        <Skeleton variant="rounded" height={96} aria-label="Checking" />
      )}
      {isLookingUp && (
        <Typography variant="body2" color="textSecondary">
          {`Checking ${plural(check?.links.open ?? 0, 'link')}…`}
        </Typography>
      )}
      <Box role="status">
        <VisuallyHidden>
          {check && !isLookingUp
            ? `Check done: ${countOf('error')} to fix, ${countOf('warning')} worth a look, ${plural(countOf('hint'), 'hint')}`
            : ''}
        </VisuallyHidden>
      </Box>
    </Stack>
  );
}

function CheckError({ error, pending, onRetry }: { error: unknown; pending: boolean; onRetry: () => void }) {
  if (isApiError(error) && [400, 403, 404, 409].includes(error.status) && error.message)
    return <Alert severity="warning">{error.message}</Alert>;
  return <SectionError message={messages.checkFailed} pending={pending} onRetry={onRetry} />;
}
