import Alert from '@mui/material/Alert';
import Typography from '@mui/material/Typography';
import { useEffect } from 'react';
import { PRODUCT_NAME } from '../../../lib/product';
import { IconReferrals } from '../../../ui/icons';
import { useNoteVisit } from '../api';
import { messages } from '../messages';

/** Says that a referral code goes along, and whose it is. A code that leads to nobody is no matter. */
export function ReferralNote({ code }: { code: string }) {
  const [note, inviterName] = useNoteVisit();
  useEffect(() => void note(code), [note, code]);
  return (
    <Alert severity="success" icon={<IconReferrals size={18} aria-hidden />} sx={{ mb: 2 }}>
      <Typography component="span" sx={{ display: 'block', fontSize: 'inherit' }}>
        {messages.referral}
      </Typography>
      {inviterName && (
        <Typography component="span" sx={{ display: 'block', fontSize: 'inherit', overflowWrap: 'anywhere' }}>
          {inviterName} invited you to {PRODUCT_NAME}.
        </Typography>
      )}
    </Alert>
  );
}
