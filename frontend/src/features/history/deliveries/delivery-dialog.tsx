import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState, type ReactNode } from 'react';
import { formatDateTime } from '../../../lib/format';
import { Facts, type Fact } from '../../../ui/facts';
import type { Delivery } from '../api';
import { MessageAsRecipient } from './message-as-recipient';
import { DeliveryBadge } from './delivery-columns';

/** The details of one delivery. */
export function DeliveryDialog({
  sendId,
  delivery,
  onClose,
}: {
  sendId: string;
  delivery: Delivery | null;
  onClose: () => void;
}) {
  const id = useId();
  const [last, setLast] = useState(delivery);
  if (delivery && delivery !== last) setLast(delivery);
  return (
    <Dialog open={Boolean(delivery)} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
        {last?.recipientEmail}
      </DialogTitle>
      <DialogContent>
        {last && (
          <Box sx={{ mt: 1 }}>
            <Facts facts={factsOf(last)} stacked />
            <Box sx={{ mt: 2 }}>
              <MessageAsRecipient key={last.id} sendId={sendId} delivery={last} />
            </Box>
          </Box>
        )}
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose} autoFocus>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** The known facts of a delivery; what is unknown is left out. */
function factsOf(delivery: Delivery): Fact[] {
  const { detail, said: reply, sentAt, nextAttemptAt, unsubscribedAt, possibleDuplicate, messageId } = delivery;
  const facts: [name: string, value: ReactNode, isKnown: unknown][] = [
    ['Status', <DeliveryBadge key="status" delivery={delivery} />, true],
    ['Reason', detail, detail],
    ['The server said', <Mono key="said" text={reply ?? ''} />, reply],
    ['Handed over', sentAt && formatDateTime(sentAt), sentAt],
    ['Next try', nextAttemptAt && formatDateTime(nextAttemptAt), nextAttemptAt],
    ['Unsubscribed', unsubscribedAt && formatDateTime(unsubscribedAt), unsubscribedAt],
    ['Copies', 'It may have arrived twice; both carry the same Message-ID', possibleDuplicate],
    ['Message-ID', <Mono key="id" text={messageId ?? ''} />, messageId],
  ];
  return facts.flatMap(([name, value, isKnown]) => (isKnown ? [[name, value] as const] : []));
}

const Mono = ({ text }: { text: string }) => (
  <Typography component="span" variant="mono">
    {text}
  </Typography>
);
