import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { formatDate, plural } from '../../../lib/format';
import { RelativeTime } from '../../../ui/relative-time';
import { StatusBadge } from '../../../ui/status-badge';
import type { AttestedImport } from '../api';

/** One import with its attestation, a sample of its addresses, and its owner's earlier imports. */
export function AttestedImportCard({
  batch,
  onDecide,
}: {
  batch: AttestedImport;
  onDecide: (batch: AttestedImport, decision: 'confirmed' | 'declined') => void;
}) {
  const { owner } = batch;
  const record = `member since ${formatDate(owner.memberSince)}, ${plural(owner.confirmedImports, 'import')} confirmed before, ${owner.declinedImports} declined`;
  return (
    <Box
      component="article"
      aria-label={`Import into ${batch.listName}`}
      sx={{ mt: 2, pt: 2, borderTop: 1, borderColor: 'divider', display: 'grid', gap: 1.25 }}
    >
      <Box sx={{ display: 'flex', gap: 1, alignItems: 'baseline', flexWrap: 'wrap' }}>
        <Typography variant="h3" component="h3" sx={{ overflowWrap: 'anywhere' }}>
          {batch.listName}
        </Typography>
        <Typography variant="body2" color="textSecondary">
          {plural(batch.total, 'contact')}, <RelativeTime iso={batch.createdAt} />
        </Typography>
        {owner.suspended && <StatusBadge status="unsubscribed" word="Owner suspended" />}
      </Box>
      <Typography
        component="blockquote"
        sx={{
          m: 0,
          pl: 1.5,
          borderLeft: 3,
          borderColor: 'divider',
          overflowWrap: 'anywhere',
          whiteSpace: 'pre-line',
        }}
      >
        {batch.attestation}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        {owner.name}
        {owner.agencyName && `, ${owner.agencyName}`} ({owner.email}), {record}
      </Typography>
      <Typography variant="mono" color="textSecondary" sx={{ fontSize: '0.75rem', overflowWrap: 'anywhere' }}>
        {batch.sample.map(({ email }) => email).join(', ')}
        {batch.total > batch.sample.length && ', …'}
      </Typography>
      {batch.state === 'waiting' ? (
        <Box sx={{ display: 'flex', gap: 1, flexWrap: 'wrap', alignItems: 'center' }}>
          <Button
            size="small"
            variant="contained"
            disabled={!batch.isComplete}
            onClick={() => onDecide(batch, 'confirmed')}
            aria-label={`Confirm all: import into ${batch.listName}`}
          >
            Confirm all
          </Button>
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            disabled={!batch.isComplete}
            onClick={() => onDecide(batch, 'declined')}
            aria-label={`Decline: import into ${batch.listName}`}
          >
            Decline
          </Button>
          {!batch.isComplete && (
            <Typography variant="body2" color="textSecondary">
              Its file is still being read.
            </Typography>
          )}
        </Box>
      ) : (
        <Box>
          <StatusBadge
            status={batch.state === 'confirmed' ? 'confirmed' : 'skipped'}
            word={batch.state === 'confirmed' ? 'Confirmed' : 'Declined'}
          />{' '}
          {batch.decidedAt && (
            <Typography component="span" variant="body2" color="textSecondary">
              <RelativeTime iso={batch.decidedAt} />
            </Typography>
          )}
        </Box>
      )}
    </Box>
  );
}
