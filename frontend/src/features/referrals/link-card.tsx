import Box from '@mui/material/Box';
import Paper from '@mui/material/Paper';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { useId, type ReactNode } from 'react';
import { client } from '../../api/client';
import { CopyButton } from '../../ui/copy-button';
import { useToast } from '../../ui/toast/toast';
import { messages } from './api';

/** The referral link to copy. */
export function LinkCard() {
  const { data, isLoading, refetch } = client.useGetReferralCodeQuery();
  const toast = useToast();
  const link = data?.referralUrl;
  return (
    <Panel title="Your link" text="People who register within 30 days of following it count as your referrals.">
      <Box
        sx={{
          display: 'flex',
          gap: 1.5,
          alignItems: 'center',
          flexWrap: 'wrap',
          minHeight: 40,
          p: 1,
          pl: 1.75,
          borderRadius: 2,
          bgcolor: 'surface.base',
          border: 1,
          borderColor: 'divider',
        }}
      >
        <Typography variant="mono" sx={{ flex: '1 1 14rem', minWidth: 0, overflowWrap: 'anywhere' }}>
          {isLoading ? <Skeleton width="70%" /> : (link ?? messages.noLink)}
        </Typography>
        <CopyButton
          text={link}
          label="Copy Link"
          onCopied={() => toast({ title: messages.copied, description: messages.copiedText, variant: 'success' })}
          onFailed={() => {
            toast({
              title: messages.noLink,
              description: link ? messages.copyFailedText : messages.tryAgain,
              variant: 'destructive',
            });
            // Loads the link again, so that the next press can copy it.
            if (!link) void refetch();
          }}
        />
      </Box>
    </Panel>
  );
}

/** A section with a title and a text. */
export function Panel({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  const id = useId();
  return (
    <Paper component="section" variant="outlined" aria-labelledby={id} sx={{ p: { xs: 2, md: 2.5 } }}>
      <Typography id={id} variant="h2">
        {title}
      </Typography>
      <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5, mb: 2 }}>
        {text}
      </Typography>
      {children}
    </Paper>
  );
}
