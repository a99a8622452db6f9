import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { client } from '../../../api/client';
import { clockTime, formatDate, formatDateTime } from '../../../lib/format';
import { historyEntryPath, listPath } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { DeleteDialog } from '../../../ui/dialog/delete-dialog';
import { FilterSelect } from '../../../ui/form/filter-select';
import { IconDelete, IconHistory } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { QueryError } from '../../../ui/loading/section-error';
import { LoadingRegion, RowSkeletons } from '../../../ui/loading/skeletons';
import { Facts } from '../../../ui/facts';
import { messages, type ProfileDetail, type TimelineEntry } from '../api';

const kinds = [
  { value: '', label: 'All' },
  { value: 'messages', label: 'Messages' },
  { value: 'consent', label: 'Consent' },
  { value: 'notes', label: 'Notes' },
] as const;
type Kind = (typeof kinds)[number]['value'];

/** What happened with a person, newest first, by day. */
export function TimelineTab({ profile }: { profile: ProfileDetail }) {
  const { params, write } = useAddress();
  const kind = kinds.find(({ value }) => value === params.get('kind'))?.value ?? '';
  return (
    <Box sx={{ display: 'grid', gap: 2 }}>
      <Box sx={{ maxWidth: 220 }}>
        <FilterSelect<Kind>
          label="Show"
          hideLabel
          value={kind}
          choices={kinds}
          onChange={(value) => write({ kind: value || null }, { replace: true })}
        />
      </Box>
      <TimelinePages key={kind} profileId={profile.id} kind={kind} />
    </Box>
  );
}

/** The loaded pages, then a button for the next. */
function TimelinePages({ profileId, kind }: { profileId: string; kind: Kind }) {
  const [cursors, setCursors] = useState<(string | undefined)[]>([undefined]);
  return (
    <>
      {cursors.map((cursor, index) => (
        <TimelinePage
          key={cursor ?? ''}
          profileId={profileId}
          kind={kind}
          cursor={cursor}
          onEarlier={index === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : undefined}
        />
      ))}
    </>
  );
}

interface TimelinePageProps {
  profileId: string;
  kind: Kind;
  cursor: string | undefined;
  /** Loads the next page; absent once that page is shown. */
  onEarlier?: (cursor: string) => void;
}

function TimelinePage({ profileId, kind, cursor, onEarlier }: TimelinePageProps) {
  const query = client.useGetTimelineQuery({ id: profileId, ...(kind && { kind }), ...(cursor && { cursor }) });
  const { data, error } = query;
  if (error && !data) return <QueryError query={query} text={messages.timelineFailed} />;
  if (!data) {
    return (
      <LoadingRegion label="Loading the story">
        <RowSkeletons count={4} height={48} />
      </LoadingRegion>
    );
  }
  const { rows, next } = data;
  if (rows.length === 0 && !cursor) return <EmptyState dense icon={IconHistory} title={messages.nothingOfKind} />;
  return (
    <>
      {byDay(rows).map(({ day, entries }) => (
        <Box component="section" key={day} aria-label={day}>
          <Typography variant="h3" component="h2" sx={{ mb: 1 }}>
            {day}
          </Typography>
          <Paper variant="outlined" component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
            {entries.map((entry, index) => (
              <Entry key={`${entry.at} ${index}`} profileId={profileId} entry={entry} />
            ))}
          </Paper>
        </Box>
      ))}
      {next && onEarlier && (
        <Button variant="outlined" color="inherit" sx={{ justifySelf: 'center' }} onClick={() => onEarlier(next)}>
          Show earlier
        </Button>
      )}
    </>
  );
}

function Entry({ profileId, entry }: { profileId: string; entry: TimelineEntry }) {
  const { at, kind, title, detail, sendId, listId } = entry;
  const to = sendId ? historyEntryPath(sendId) : listId ? listPath(listId) : undefined;
  const quote = quoteOf(entry);
  const noteId = kind === 'notes' ? textOf(detail?.noteId) : undefined;
  return (
    <Box
      component="li"
      sx={{
        display: 'flex',
        gap: 1.5,
        alignItems: 'baseline',
        px: 2,
        py: 1.25,
        '& + li': { borderTop: 1, borderColor: 'divider' },
      }}
    >
      <Typography
        component="time"
        dateTime={at}
        variant="caption"
        color="textSecondary"
        sx={{ flexShrink: 0, fontVariantNumeric: 'tabular-nums' }}
      >
        {clockTime(at)}
      </Typography>
      <Box sx={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        {to ? (
          <Link component={RouterLink} to={to} color="inherit" underline="hover">
            {title}
          </Link>
        ) : (
          <span>{title}</span>
        )}
        {quote && (
          <Typography color="textSecondary" sx={{ whiteSpace: 'pre-wrap', mt: 0.25 }}>
            {quote}
          </Typography>
        )}
        <EntryDetails entry={entry} />
      </Box>
      {noteId && <DeleteNote profileId={profileId} noteId={noteId} />}
    </Box>
  );
}

/** Details of how consent was given: time, IP address, browser and wording version. Collapsed at first. */
function EntryDetails({ entry: { at, detail } }: { entry: TimelineEntry }) {
  const facts = [
    ['IP address', textOf(detail?.ip)],
    ['Browser', textOf(detail?.userAgent)],
    ['Wording version', textOf(detail?.wordingVersion)],
  ] as const;
  const known = facts.filter(([, value]) => value !== undefined);
  if (known.length === 0) return null;
  return (
    <Box component="details" sx={{ mt: 0.25, fontSize: '0.8125rem', '& > summary': { cursor: 'pointer' } }}>
      <Box component="summary" sx={{ color: 'text.secondary' }}>
        Details
      </Box>
      <Box sx={{ mt: 1 }}>
        <Facts facts={[['Time', formatDateTime(at)], ...known]} stacked />
      </Box>
    </Box>
  );
}

const textOf = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined);

/** The text that an entry quotes: a note, or the statement that an admin accepted or declined. */
function quoteOf({ kind, detail }: TimelineEntry): string | undefined {
  if (kind === 'notes') return textOf(detail?.body);
  const details = detail?.details;
  if (typeof details !== 'object' || details === null || !('attestation' in details)) return undefined;
  const statement = textOf(details.attestation);
  return statement && `“${statement}”`;
}

function DeleteNote({ profileId, noteId }: { profileId: string; noteId: string }) {
  const [isAsking, setAsking] = useState(false);
  const [remove] = client.useDeleteNoteMutation();
  return (
    <>
      <Button
        size="small"
        color="inherit"
        startIcon={<IconDelete size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Delete note
      </Button>
      {isAsking && (
        <DeleteDialog
          title="Delete this note?"
          confirmLabel="Delete note"
          onDelete={() => remove({ id: profileId, noteId }).unwrap()}
          onClose={() => setAsking(false)}
        >
          This action cannot be undone.
        </DeleteDialog>
      )}
    </>
  );
}

/** Groups entries by the day on which they happened. */
function byDay(entries: readonly TimelineEntry[]): { day: string; entries: TimelineEntry[] }[] {
  const days: { day: string; entries: TimelineEntry[] }[] = [];
  for (const entry of entries) {
    const day = formatDate(entry.at);
    const last = days.at(-1);
    if (last?.day === day) last.entries.push(entry);
    else days.push({ day, entries: [entry] });
  }
  return days;
}
