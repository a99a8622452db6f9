import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import type { ReactNode } from 'react';
import { fullName } from '../../../lib/format';
import { PRODUCT_NAME } from '../../../lib/product';
import { MailFrame } from '../../../ui/mail-frame';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { SubjectLine } from '../../../ui/subject-line';
import { useCurrentUser } from '../api';
import { messages } from '../messages';

/** A message rendered for one recipient. */
export interface ShownMessage {
  subject: string;
  preheader: string;
  html: string;
  text: string;
}

interface MessageSheetProps {
  /** Subject for the preview's accessible name. */
  subject: string;
  message: ShownMessage | null;
  isFailed: boolean;
  isWaiting: boolean;
  onRetry: () => void;
  /** Controls next to the view switch. */
  children?: ReactNode;
}

/** The message as a row of an inbox and as an opened mail. */
export function MessageSheet({ subject, message, isFailed, isWaiting, onRetry, children }: MessageSheetProps) {
  return (
    <Box sx={{ border: 1, borderColor: 'divider', borderRadius: 3, overflow: 'hidden', bgcolor: 'surface.base' }}>
      <InboxRow subject={message?.subject ?? subject} preheader={message?.preheader ?? ''} />
      <Box sx={{ px: { xs: 1.5, sm: 2.5 }, py: 2, borderTop: 1, borderColor: 'divider', bgcolor: 'surface.panel' }}>
        {isFailed && !message ? (
          <SectionError message={messages.sheetFailed} pending={isWaiting} onRetry={onRetry} />
        ) : message ? (
          <MailFrame html={message.html} text={message.text} title={`Preview of "${subject}"`}>
            {children}
          </MailFrame>
        ) : (
          <LoadingRegion label="Making the preview">
            <Skeleton variant="rounded" width={280} height={34} sx={{ mb: 1.5, maxWidth: '100%' }} />
            <Skeleton variant="rounded" height={480} sx={{ maxWidth: 640 }} />
          </LoadingRegion>
        )}
      </Box>
    </Box>
  );
}

/** Sender, subject and preview line as an inbox shows them. */
function InboxRow({ subject, preheader }: { subject: string; preheader: string }) {
  const user = useCurrentUser();
  return (
    <Box sx={{ px: { xs: 1.5, sm: 2.5 }, pt: 2, pb: 1.5 }}>
      <Typography variant="body2" color="textSecondary" sx={{ overflowWrap: 'anywhere' }}>
        From {fullName(user)} via {PRODUCT_NAME}, replies to {user.email}
      </Typography>
      <Box sx={{ mt: 0.5 }}>
        <SubjectLine subject={subject} preheader={preheader} />
      </Box>
    </Box>
  );
}
