import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { mayTypes, roleLabel, sendTypeLabel } from '../../../lib/roles';
import { useCurrentUser } from '../api';
import { RoleDialog } from './role-dialog';

/** The role, and the way to another. */
export function RolePanel() {
  const user = useCurrentUser();
  const [asking, setAsking] = useState(false);
  const sends = mayTypes(user.role, user.isAdmin).map((type) => sendTypeLabel[type].toLowerCase() + 's').join(' and ');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Box sx={{ flex: '1 1 14rem' }}>
        <Typography sx={{ fontWeight: 600 }}>{roleLabel(user.role)}</Typography>
        <Typography variant="body2" color="textSecondary">
          You send {sends}. Contacts keep what they agreed to receive.
        </Typography>
      </Box>
      <Button variant="outlined" color="inherit" onClick={() => setAsking(true)}>
        Change role
      </Button>
      <RoleDialog title="Change role" open={asking} onClose={() => setAsking(false)} />
    </Box>
  );
}
