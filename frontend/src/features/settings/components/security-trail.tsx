import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { roleLabel } from '../../../lib/roles';
import { RelativeTime } from '../../../ui/relative-time';
import { SectionError } from '../../../ui/section-error';
import { RowSkeletons, Waiting } from '../../../ui/skeletons';
import { useTrail, type AuditEvent } from '../api';
import { messages } from '../messages';

const STEPS = [8, 50, 200, 1000] as const;

/** What happened to the account's safety, and where from. */
export function SecurityTrail() {
  const [step, setStep] = useState(0);
  const { data, error, isFetching, refetch } = useTrail(STEPS[step] ?? STEPS[0]);
  if (error) return <SectionError message={messages.trailFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!data) {
    return (
      <Waiting label="Loading security events">
        <RowSkeletons count={4} height={52} />
      </Waiting>
    );
  }
  return (
    <>
      <Box component="ol" sx={{ m: 0, p: 0, listStyle: 'none', display: 'grid', gap: 1.5 }}>
        {data.rows.map((event) => (
          <Line key={event.id} event={event} />
        ))}
      </Box>
      {data.total > data.rows.length && step < STEPS.length - 1 && (
        <Button variant="outlined" color="inherit" sx={{ justifySelf: 'start' }} loading={isFetching} onClick={() => setStep(step + 1)}>
          Show more
        </Button>
      )}
    </>
  );
}

const actors: Record<AuditEvent['actor'], string | null> = { you: null, support: 'by our support team', unknown: null };

/** A role goes by its label. */
const reasonOf = ({ kind, reason }: AuditEvent) => (kind === 'role.changed' ? roleLabel(reason) : reason);

function Line({ event }: { event: AuditEvent }) {
  const notes = [...new Set([actors[event.actor], reasonOf(event), event.device, event.ipAddress])].filter(Boolean).join(' · ');
  return (
    <Box component="li" sx={{ display: 'flex', justifyContent: 'space-between', gap: 2 }}>
      <Box sx={{ minWidth: 0 }}>
        <Typography sx={{ fontWeight: 560, color: event.kind === 'session.refused' ? 'tone.bad.main' : 'text.primary' }}>{event.description}</Typography>
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
