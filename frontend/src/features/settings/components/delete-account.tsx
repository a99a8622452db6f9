import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { DeleteAccountDialog } from '../forms/delete-account-dialog';

/** The way out. */
export function DeleteAccount() {
  const [asking, setAsking] = useState(false);
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Typography variant="body2" color="textSecondary" sx={{ flex: '1 1 14rem' }}>
        Erases your profile, lists, contacts and history, ends a paid plan and signs out every device. Who has unsubscribed stays unsubscribed.
      </Typography>
      <Button variant="outlined" color="error" onClick={() => setAsking(true)}>
        Delete account
      </Button>
      <DeleteAccountDialog open={asking} onClose={() => setAsking(false)} />
    </Box>
  );
}
