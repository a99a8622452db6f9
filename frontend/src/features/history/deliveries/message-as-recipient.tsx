import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { client } from '../../../api/client';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { SubjectLine } from '../../../ui/subject-line';
import { MailFrame } from '../../../ui/mail-frame';
import { messages, type Delivery } from '../api';

/** A button that loads and shows the message as the recipient of the delivery reads it. */
export function MessageAsRecipient({ sendId, delivery }: { sendId: string; delivery: Delivery }) {
  const [isOpen, setOpen] = useState(false);
  if (isOpen) return <ReadMessage sendId={sendId} delivery={delivery} />;
  return (
    <Button
      size="small"
      color="inherit"
      variant="outlined"
      onClick={() => setOpen(true)}
      sx={{ overflowWrap: 'anywhere' }}
    >
      {`As ${delivery.recipientEmail} reads it`}
    </Button>
  );
}

function ReadMessage({ sendId, delivery }: { sendId: string; delivery: Delivery }) {
  const args = { id: sendId, deliveryId: delivery.id };
  const {
    currentData: message,
    error,
    isFetching,
    refetch,
  } = client.useGetDeliveryMessageQuery(args, {
    refetchOnMountOrArgChange: true,
  });
  if (error && !message)
    return <SectionError message={messages.messageFailed} pending={isFetching} onRetry={() => void refetch()} />;
  if (!message)
    return (
      <LoadingRegion label="Making the message">
        <Skeleton variant="rounded" height={480} />
      </LoadingRegion>
    );
  const { recipient, subject, preheader } = message;
  const title = `As ${recipient?.name?.trim() || delivery.recipientEmail} reads it`;
  return (
    <Box>
      <Typography variant="h3">{title}</Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mb: 1 }}>
        {recipient ? messages.detailsOfToday : messages.madeUp}
      </Typography>
      <Box sx={{ mb: 1.5 }}>
        <SubjectLine subject={subject} preheader={preheader} />
      </Box>
      <MailFrame html={message.html} text={message.text} title={title} />
    </Box>
  );
}
