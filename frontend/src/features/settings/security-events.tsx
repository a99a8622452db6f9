import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../api/client';
import type { AuditEventDto } from '../../api/endpoints.gen';
import { roleLabel } from '../../lib/roles';
import { SectionError } from '../../ui/loading/section-error';
import { RowSkeletons, LoadingRegion } from '../../ui/loading/skeletons';
import { RelativeTime } from '../../ui/relative-time';
import { messages } from './messages';

const EVENT_COUNTS = [8, 50, 200, 1000] as const;

/** Sign-ins and changes of the account, newest first. */
export function SecurityEvents() {
  const [step, setStep] = useState(0);
  const { data, error, isFetching, refetch } = client.useListAuditEventsQuery(
    { limit: EVENT_COUNTS[step] ?? EVENT_COUNTS[0] },
    // Refetched when the screen is opened, because a device may have been signed out elsewhere.
    { refetchOnMountOrArgChange: true },
  );
  if (error)
    return <SectionError message={messages.securityFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <LoadingRegion label="Loading security events">
        <RowSkeletons count={4} height={52} />
      </LoadingRegion>
    );
  }
  return (
    <>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
        {data.rows.map((event) => (
          <EventLine key={event.id} event={event} />
        ))}
      </Box>
      {data.total > data.rows.length && step < EVENT_COUNTS.length - 1 && (
        <Button
          variant="outlined"
          color="inherit"
          sx={{ justifySelf: 'start' }}
          loading={isFetching}
          onClick={() => setStep(step + 1)}
        >
          Show more
        </Button>
      )}
    </>
  );
}

const actors: Record<AuditEventDto['actor'], string | null> = {
  you: null,
  support: 'by our support team',
  unknown: null,
};

/** The reason for an event; for a changed role, the label of the role. */
const reasonOf = ({ kind, reason }: AuditEventDto) => (kind === 'role.changed' ? roleLabel(reason) : reason);

function EventLine({ event }: { event: AuditEventDto }) {
  const notes = [...new Set([actors[event.actor], reasonOf(event), event.device, event.ipAddress])]
    .filter(Boolean)
    .join(' · ');
  return (
    <Box component="li" sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography
          sx={{ fontWeight: 560, color: event.kind === 'session.refused' ? 'tone.error.main' : 'text.primary' }}
        >
          {event.description}
        </Typography>
        {notes && (
          <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
            {notes}
          </Typography>
        )}
      </Box>
      <Typography component="span" variant="caption" color="textSecondary" sx={{ whiteSpace: 'nowrap', mt: '3px' }}>
        <RelativeTime iso={event.at} />
      </Typography>
    </Box>
  );
}
