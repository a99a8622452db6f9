import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount, plural } from '../../../lib/format';
import { sendTypeLabel } from '../../../lib/roles';
import { historyEntryPath } from '../../../lib/routes';
import { Hint } from '../../../ui/hint';
import { IconJob, IconShow, IconUsers } from '../../../ui/icons';
import { RelativeTime } from '../../../ui/relative-time';
import { Tag } from '../../../ui/tag';
import type { HistoryItem } from '../api';
import { useProgress } from '../use-progress';
import { SendProgress } from './send-progress';
import { SendStatus } from './send-status';

/** '118 delivered, 1 failed, 1 bounced'. */
const outcomeOf = ({ sent, failed, bounced }: NonNullable<HistoryItem['outcome']>) =>
  [`${formatCount(sent)} delivered`, failed > 0 && `${formatCount(failed)} failed`, bounced > 0 && `${formatCount(bounced)} bounced`].filter(Boolean).join(', ');

/** One send; a pending one shows how far it is. */
export function HistoryCard({ item }: { item: HistoryItem }) {
  return (
    <Paper variant="outlined" component="article" sx={{ p: 2, position: 'relative', '&:hover': { borderColor: 'surface.edge' } }}>
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <Typography component="h2" variant="h3" sx={{ overflowWrap: 'anywhere' }}>
            {item.subject}
          </Typography>
          <Box sx={{ display: 'flex', flexWrap: 'wrap', alignItems: 'center', gap: 1, mt: 1, color: 'text.secondary', fontSize: '0.8125rem' }}>
            <SendStatus item={item} />
            <Tag icon={item.emailType === 'job-post' ? IconJob : IconUsers}>{sendTypeLabel[item.emailType]}</Tag>
            <span>
              <span>{plural(item.recipientCount, 'recipient')}</span>, <RelativeTime iso={item.sentAt} />
            </span>
          </Box>
          {item.status !== 'pending' && item.outcome && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75, fontVariantNumeric: 'tabular-nums' }}>
              {outcomeOf(item.outcome)}
            </Typography>
          )}
        </Box>
        <Hint title="View">
          <IconButton component={RouterLink} to={historyEntryPath(item.id)} aria-label={`View ${item.subject}`} sx={{ '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 3 } }}>
            <IconShow size={18} aria-hidden />
          </IconButton>
        </Hint>
      </Box>
      {item.status === 'pending' && <CardProgress item={item} />}
    </Paper>
  );
}

function CardProgress({ item }: { item: HistoryItem }) {
  const { counts, note } = useProgress(item.id, true);
  const total = Number(item.recipientCount);
  return (
    <Box sx={{ mt: 2 }}>
      <SendProgress counts={counts} total={total} note={note(total)} stopped={item.stopped} />
    </Box>
  );
}
