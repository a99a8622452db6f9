import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useState } from 'react';
import { useCurrentUser } from '../../api/session';
import { mayTypes, roleLabel, sendTypeLabel } from '../../lib/roles';
import RoleDialog from './role-dialog';

/** Shows the role and opens the dialog that changes it. */
export function RolePanel() {
  const user = useCurrentUser();
  const [isOpen, setOpen] = useState(false);
  const sends = mayTypes(user.role, user.isAdmin)
    .map((type) => sendTypeLabel[type].toLowerCase() + 's')
    .join(' and ');
  return (
    <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
      <Box sx={{ flex: '1 1 14rem' }}>
        <Typography sx={{ fontWeight: 600 }}>{roleLabel(user.role)}</Typography>
        <Typography variant="body2" color="textSecondary">
          You send {sends}. Contacts keep what they agreed to receive.
        </Typography>
      </Box>
      <Button variant="outlined" color="inherit" onClick={() => setOpen(true)}>
        Change role
      </Button>
      <RoleDialog title="Change role" open={isOpen} onClose={() => setOpen(false)} />
    </Box>
  );
}
