import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Skeleton from '@mui/material/Skeleton';
import { useState } from 'react';
import { client } from '../../../api/client';
import type { SaveSenderProfileDto, SenderProfileDto } from '../../../api/endpoints.gen';
import { useDebounced } from '../../../lib/use-debounced';
import { withChanges } from '../../../shared/sender-profile';
import { SectionError } from '../../../ui/loading/section-error';
import { LoadingRegion } from '../../../ui/loading/skeletons';
import { MailFrame } from '../../../ui/mail-frame';
import { useNarrow } from '../../../ui/page/page';
import { messages } from '../messages';

const DEBOUNCE_MS = 500;

interface SenderPreviewProps {
  profile: SenderProfileDto;
  changes: Parameters<typeof withChanges>[1];
}

/** A sample email with the typed values, saved or not. On a phone it is opened by a button. */
export function SenderPreview({ profile, changes }: SenderPreviewProps) {
  const isNarrow = useNarrow();
  const [isOpen, setOpen] = useState(false);
  const wanted = JSON.stringify(withChanges(profile, changes));
  const shown = useDebounced(wanted, DEBOUNCE_MS);
  const isShown = !isNarrow || isOpen;
  const { data, error, isFetching, refetch } = client.usePreviewSenderProfileQuery(
    { saveSenderProfileDto: JSON.parse(shown) as SaveSenderProfileDto },
    { skip: !isShown },
  );
  return (
    <Box>
      {isNarrow && (
        <Button
          variant="outlined"
          color="inherit"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
          sx={{ mb: 2 }}
        >
          {isOpen ? 'Hide preview' : 'Show preview'}
        </Button>
      )}
      {isShown &&
        (data ? (
          <MailFrame html={data.html} text={data.text} title="Preview of your emails" />
        ) : error ? (
          <SectionError message={messages.lookPreviewFailed} pending={isFetching} onRetry={() => void refetch()} />
        ) : (
          <LoadingRegion label="Making the preview">
            <Skeleton variant="rounded" height={480} sx={{ maxWidth: 640 }} />
          </LoadingRegion>
        ))}
    </Box>
  );
}
