import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { formatDateTime } from '../../../lib/format';
import type { Delivery } from '../api';
import { DeliveryBadge } from './delivery-columns';

/** All there is to know about one recipient. */
export function DeliveryDialog({ delivery, onClose }: { delivery: Delivery | null; onClose: () => void }) {
  const id = useId();
  const [last, setLast] = useState(delivery);
  if (delivery && delivery !== last) setLast(delivery);
  return (
    <Dialog open={Boolean(delivery)} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
        {last?.recipientEmail}
      </DialogTitle>
      <DialogContent>{last && <Facts delivery={last} />}</DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose} autoFocus>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Facts({ delivery }: { delivery: Delivery }) {
  const { detail, said, sentAt, nextAttemptAt, unsubscribedAt, possibleDuplicate, messageId } = delivery;
  return (
    <Box component="dl" sx={{ m: 0, mt: 1, display: 'grid', gridTemplateColumns: { xs: '1fr', sm: '9rem 1fr' }, columnGap: 2, rowGap: { xs: 0.25, sm: 1.25 } }}>
      <Fact name="Status">
        <DeliveryBadge delivery={delivery} />
      </Fact>
      {detail && <Fact name="Reason">{detail}</Fact>}
      {said && <Fact name="The server said"><Mono text={said} /></Fact>}
      {sentAt && <Fact name="Handed over">{formatDateTime(sentAt)}</Fact>}
      {nextAttemptAt && <Fact name="Next try">{formatDateTime(nextAttemptAt)}</Fact>}
      {unsubscribedAt && <Fact name="Unsubscribed">{formatDateTime(unsubscribedAt)}</Fact>}
      {possibleDuplicate && <Fact name="Copies">It may have arrived twice; both carry the same Message-ID</Fact>}
      {messageId && <Fact name="Message-ID"><Mono text={messageId} /></Fact>}
    </Box>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <Typography component="dt" variant="body2" color="textSecondary">
        {name}
      </Typography>
      <Box component="dd" sx={{ m: 0, mb: { xs: 1.25, sm: 0 }, overflowWrap: 'anywhere' }}>
        {children}
      </Box>
    </>
  );
}

const Mono = ({ text }: { text: string }) => <Typography component="span" variant="mono">{text}</Typography>;
