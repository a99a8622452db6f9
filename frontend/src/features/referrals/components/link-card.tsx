import Box from '@mui/material/Box';
import Skeleton from '@mui/material/Skeleton';
import Typography from '@mui/material/Typography';
import { CopyButton } from '../../../ui/copy-button';
import { useToast } from '../../../ui/toast';
import { useReferralCode } from '../api';
import { messages } from '../messages';
import { Panel } from './panel';

/** The link to hand on. */
export function LinkCard() {
  const { data, isLoading, refetch } = useReferralCode();
  const toast = useToast();
  const link = data?.referralUrl;
  return (
    <Panel title="Your link" text="Whoever registers within 30 days of following it counts as yours.">
      <Box
        sx={{
          display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap', minHeight: 40, p: 1, pl: 1.75, borderRadius: 2, bgcolor: 'surface.base', border: 1, borderColor: 'surface.line',
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
            toast({ title: messages.noLink, description: link ? messages.copyFailedText : messages.tryAgain, variant: 'destructive' });
            // Without this the next try would find no link either.
            if (!link) void refetch();
          }}
        />
      </Box>
    </Panel>
  );
}
