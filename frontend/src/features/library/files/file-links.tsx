import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Link from '@mui/material/Link';
import Menu from '@mui/material/Menu';
import MenuItem from '@mui/material/MenuItem';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { formatDate } from '../../../lib/format';
import { historyEntryPath } from '../../../lib/routes';
import { downloadsText, LINK_DAYS, type LinkDays } from '../../../shared/files/file-texts';
import { StatusBadge } from '../../../ui/status-badge';
import { useToast } from '../../../ui/toast/toast';
import { useFileActions, type FileLink } from '../api';
import { messages } from '../messages';
import { StopLink } from './file-dialogs';

/** Maximum number of links that the server lists, latest first. */
const MAX_LINKS = 100;

/** The link to a file in each email that was sent with it. */
export function FileLinks({ links }: { links: readonly FileLink[] }) {
  const [stopping, setStopping] = useState<FileLink | null>(null);
  const [now] = useState(() => Date.now());
  if (links.length === 0) return <Typography color="textSecondary">No email links to this file yet.</Typography>;
  return (
    <>
      <Box component="ul" sx={{ m: 0, p: 0, listStyle: 'none' }}>
        {links.map((link) => (
          <LinkRow
            key={link.id}
            link={link}
            isOver={new Date(link.expiresAt).getTime() <= now}
            onStop={() => setStopping(link)}
          />
        ))}
      </Box>
      {links.length === MAX_LINKS && (
        <Typography variant="body2" color="textSecondary" sx={{ mt: 1 }}>
          {`The latest ${MAX_LINKS} are shown.`}
        </Typography>
      )}
      {stopping && <StopLink link={stopping} onClose={() => setStopping(null)} />}
    </>
  );
}

function LinkRow({ link, isOver, onStop }: { link: FileLink; isOver: boolean; onStop: () => void }) {
  const { subject, sendId, sentAt, expiresAt, revokedAt } = link;
  return (
    <Box
      component="li"
      aria-label={subject}
      sx={{
        display: 'grid',
        gridTemplateColumns: { xs: '1fr', sm: 'minmax(0, 1fr) auto' },
        gap: 1,
        alignItems: 'center',
        py: 1.25,
        borderTop: 1,
        borderColor: 'divider',
      }}
    >
      <Box sx={{ minWidth: 0 }}>
        <Link component={RouterLink} to={historyEntryPath(sendId)} sx={{ overflowWrap: 'anywhere', fontWeight: 560 }}>
          {subject}
        </Link>
        <Typography variant="body2" color="textSecondary">
          {`Sent ${formatDate(sentAt)}, ${downloadsText(link)}`}
        </Typography>
        {revokedAt ? (
          <StatusBadge status="cancelled" word="Stopped" />
        ) : isOver ? (
          <StatusBadge status="expired" word={`Expired ${formatDate(expiresAt)}`} />
        ) : (
          <Typography variant="body2">{`Works until ${formatDate(expiresAt)}`}</Typography>
        )}
      </Box>
      {!revokedAt && (
        <Box sx={{ display: 'flex', gap: 1 }}>
          <Extend link={link} />
          <Button
            size="small"
            variant="outlined"
            color="inherit"
            onClick={onStop}
            aria-label={`Stop link in ${subject}`}
          >
            Stop link
          </Button>
        </Box>
      )}
    </Box>
  );
}

/** Extends a link to at least some days from now. */
function Extend({ link }: { link: FileLink }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { extend } = useFileActions();
  const toast = useToast();
  const run = async (days: LinkDays) => {
    setAnchor(null);
    try {
      const { expiresAt } = await extend(link.id, days);
      toast({ title: `The link works until ${formatDate(expiresAt)}.`, variant: 'success' });
    } catch (error) {
      toast({ title: messages.failed, description: errorMessage(error, messages.tryAgain), variant: 'destructive' });
    }
  };
  return (
    <>
      <Button
        size="small"
        variant="outlined"
        color="inherit"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        aria-label={`Extend link in ${link.subject}`}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Extend
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {LINK_DAYS.map((days) => (
          <MenuItem key={days} onClick={() => void run(days)}>
            {`${days} days from now`}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
