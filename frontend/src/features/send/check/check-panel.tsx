import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
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
import type { CheckItem, CheckQuery, SendCheck } from './use-send-check';

const groups = [
  { level: 'error', name: 'To fix' },
  { level: 'warning', name: 'Worth a look' },
  { level: 'hint', name: 'Hints' },
  { level: 'passed', name: 'Fine' },
] as const;

/** Code of the finding about hosts of links. It is shown after the others while hosts are looked up. */
const LINK_CODE = 'link_host';

const countOf = (items: readonly CheckItem[], wanted: CheckItem['level']) =>
  items.filter(({ level }) => level === wanted).length;

/** Whom the email reaches, and one list of what has to be fixed, what may be wrong, and what is fine. */
export function CheckPanel({ query, actions }: { query: CheckQuery; actions: RowActions }) {
  const { check, error, isFetching, retry, links, isLinksLate } = query;
  const items = check?.items ?? [];
  const isLate = ({ code }: CheckItem) => isLinksLate && code === LINK_CODE;
  const late = items.filter((item) => isLate(item) && !(links !== 'done' && item.level === 'passed'));
  return (
    <Stack component="section" aria-labelledby="send-check" aria-busy={isFetching && !check} sx={{ gap: 1.5, mt: 3 }}>
      <Typography variant="h3" id="send-check">
        Check
      </Typography>
      {check?.forecast && <ForecastLine forecast={check.forecast} />}
      {check && !check.forecast && <Alert severity="warning">{messages.previewFailed}</Alert>}
      {!check && !error && <Waiting />}
      {groups.map(({ level, name }) => (
        <Group
          key={level}
          name={name}
          isFolded={level === 'passed'}
          items={items.filter((item) => item.level === level && !isLate(item))}
          actions={actions}
        />
      ))}
      {isLinksLate && (
        // This line has the same height as the row that replaces it, so that nothing below moves.
        <Stack sx={{ gap: 1, minHeight: 32 }}>
          {late.length > 0 && <Rows items={late} actions={actions} />}
          {check && links !== 'done' && <LinksUnderWay check={check} links={links} onRetry={retry} />}
        </Stack>
      )}
      {error !== undefined && <CheckError error={error} pending={isFetching} onRetry={retry} />}
      <VisuallyHidden>
        <span role="status">{check && links !== 'checking' ? summaryOf(items) : ''}</span>
      </VisuallyHidden>
    </Stack>
  );
}

const summaryOf = (items: readonly CheckItem[]) =>
  `Check done: ${countOf(items, 'error')} to fix, ${countOf(items, 'warning')} worth a look, ${plural(countOf(items, 'hint'), 'hint')}`;

function Waiting() {
  return (
    <Box role="status" aria-label="Checking" sx={{ display: 'grid', gap: 1 }}>
      <Skeleton width="70%" />
      <Skeleton variant="rounded" height={72} />
    </Box>
  );
}

interface RowsProps {
  items: readonly CheckItem[];
  actions: RowActions;
}

function Group({ name, isFolded, items, actions }: RowsProps & { name: string; isFolded: boolean }) {
  if (items.length === 0) return null;
  const title = `${name} (${items.length})`;
  if (isFolded)
    return (
      <Box component="details" sx={{ '& summary': { cursor: 'pointer', width: 'fit-content' } }}>
        <Typography component="summary" variant="subtitle2">
          {title}
        </Typography>
        <Box sx={{ mt: 1 }}>
          <Rows items={items} actions={actions} />
        </Box>
      </Box>
    );
  return (
    <Box>
      <Typography component="h4" variant="subtitle2" sx={{ mb: 1 }}>
        {title}
      </Typography>
      <Rows items={items} actions={actions} />
    </Box>
  );
}

// Repeats the role, because Safari removes it from lists without markers.
const Rows = ({ items, actions }: RowsProps) => (
  <Stack component="ul" role="list" sx={{ m: 0, p: 0, gap: 1.25, listStyle: 'none' }}>
    {items.map((item, place) => (
      <CheckRow key={`${item.code}-${place}`} item={item} actions={actions} />
    ))}
  </Stack>
);

function LinksUnderWay({
  check,
  links,
  onRetry,
}: {
  check: SendCheck;
  links: 'checking' | 'given up';
  onRetry: () => void;
}) {
  const count = plural(check.links.open, 'link');
  if (links === 'checking')
    return (
      <Typography variant="body2" color="textSecondary" role="status" sx={{ py: 0.75 }}>
        {`Checking ${count}…`}
      </Typography>
    );
  return (
    <Stack direction="row" sx={{ alignItems: 'center', gap: 1 }}>
      <Typography variant="body2" color="textSecondary" role="status" sx={{ py: 0.75 }}>
        {`${count} could not be checked.`}
      </Typography>
      <Button size="small" onClick={onRetry}>
        Check again
      </Button>
    </Stack>
  );
}

/** Why there is no check: the server's refusal, or an error that can be retried. */
function CheckError({ error, pending, onRetry }: { error: unknown; pending: boolean; onRetry: () => void }) {
  if (isApiError(error) && [400, 403, 404, 409].includes(error.status) && error.message)
    return <Alert severity="warning">{error.message}</Alert>;
  return <SectionError message={messages.checkFailed} pending={pending} onRetry={onRetry} />;
}
