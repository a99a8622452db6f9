import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { clockTime, formatDate, plural } from '../../lib/format';
import type { HistoryEntry } from './api';

const named = (things: readonly { name: string }[]) => things.map(({ name }) => `"${name}"`).join(', ');

/** The audience of a send that had more than plain lists, and the time at which it was frozen. */
export function SentAudience({ audience }: { audience: NonNullable<HistoryEntry['audience']> }) {
  const { segments, excludedLists, excludedSegments, excludedAddresses, perCompany, frozenAt, failure } = audience;
  const facts = [
    segments.length > 0 && `${segments.length === 1 ? 'Segment' : 'Segments'} ${named(segments)}`,
    excludedLists.length > 0 && `Left out: lists ${named(excludedLists)}`,
    excludedSegments.length > 0 && `Left out: segments ${named(excludedSegments)}`,
    excludedAddresses.length > 0 && `Left out: ${excludedAddresses.join(', ')}`,
    perCompany && `At most ${plural(perCompany, 'person', 'people')} per company`,
    frozenAt ? `Audience fixed at ${clockTime(frozenAt)} on ${formatDate(frozenAt)}` : 'The audience is being fixed…',
  ].filter(Boolean);
  return (
    <>
      <Typography
        component="ul"
        variant="body2"
        color="textSecondary"
        sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none', overflowWrap: 'anywhere' }}
      >
        {facts.map((fact) => (
          <li key={String(fact)}>{fact}</li>
        ))}
      </Typography>
      {failure && (
        <Alert severity="error" sx={{ mt: 1.5 }}>
          Nobody was mailed: {failure}
        </Alert>
      )}
    </>
  );
}
