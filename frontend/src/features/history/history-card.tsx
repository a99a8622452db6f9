import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { formatCount, plural } from '../../lib/format';
import { historyEntryPath } from '../../lib/routes';
import { deliveryCounts } from '../../shared/delivery-counts';
import { SendCardHead } from '../../shared/send-card-head';
import { IconShow } from '../../ui/icons';
import { OpeningLink } from '../../ui/page/back-link';
import { RelativeTime } from '../../ui/relative-time';
import { Tooltip } from '../../ui/tooltip';
import type { HistoryItem } from './api';
import { DuplicateButton } from './duplicate-button';
import { SendProgress, SendStatus, useProgress } from './send-progress';

/** '118 delivered, 2 unconfirmed, 1 failed, 1 bounced'. */
const outcomeText = ({ failed, bounced, ...outcome }: NonNullable<HistoryItem['outcome']>) => {
  const { delivered, unconfirmed } = deliveryCounts(outcome);
  return [
    `${formatCount(delivered)} delivered`,
    unconfirmed > 0 && `${formatCount(unconfirmed)} unconfirmed`,
    failed > 0 && `${formatCount(failed)} failed`,
    bounced > 0 && `${formatCount(bounced)} bounced`,
  ]
    .filter(Boolean)
    .join(', ');
};

const LISTS_NAMED = 3;
/** 'Java vendors, .NET, QA and 2 more'. */
const listNamesText = (names: string[]) =>
  names.slice(0, LISTS_NAMED).join(', ') +
  (names.length > LISTS_NAMED ? ` and ${names.length - LISTS_NAMED} more` : '');

/** One send, with its progress while it is pending. */
export function HistoryCard({ item }: { item: HistoryItem }) {
  return (
    <Paper
      variant="outlined"
      component="article"
      sx={{ p: 2, position: 'relative', '&:hover': { borderColor: 'controlBorder' } }}
    >
      <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'flex-start' }}>
        <Box sx={{ flex: 1, minWidth: 0 }}>
          <SendCardHead subject={item.subject} status={<SendStatus item={item} />} emailType={item.emailType}>
            <span>
              <span>{plural(item.recipientCount, 'recipient')}</span>, <RelativeTime iso={item.sentAt} />
            </span>
          </SendCardHead>
          {item.lists && item.lists.length > 0 && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75, overflowWrap: 'anywhere' }}>
              To {listNamesText(item.lists)}
            </Typography>
          )}
          {item.status !== 'pending' && item.outcome && (
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.75, fontVariantNumeric: 'tabular-nums' }}>
              {outcomeText(item.outcome)}
            </Typography>
          )}
        </Box>
        <Box sx={{ position: 'relative', zIndex: 1 }}>
          <DuplicateButton id={item.id} subject={item.subject} asIcon />
        </Box>
        <Tooltip title="View">
          <IconButton
            component={OpeningLink}
            to={historyEntryPath(item.id)}
            aria-label={`View ${item.subject}`}
            sx={{ '&::after': { content: '""', position: 'absolute', inset: 0, borderRadius: 3 } }}
          >
            <IconShow size={18} aria-hidden />
          </IconButton>
        </Tooltip>
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
