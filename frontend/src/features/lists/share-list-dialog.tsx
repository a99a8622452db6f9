import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { useCurrentUser } from '../../api/session';
import { checkEmailPath, publicListPath } from '../../lib/routes';
import { CopyButton } from '../../ui/copy-button';
import type { EmailList } from './api';

/** The list's public link. The server keeps the page closed while the list's owner is unverified. */
export function ShareListDialog({ open, list, onClose }: { open: boolean; list: EmailList; onClose: () => void }) {
  const id = useId();
  const { email, isVerified } = useCurrentUser();
  const link = location.origin + publicListPath(list.slug);
  return (
    <Dialog open={open} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Share {list.name}</DialogTitle>
      <DialogContent>
        {!isVerified && (
          <Alert severity="warning" sx={{ mt: 1, mb: 2 }}>
            Your public page is closed until you verify your email address. Visitors see “List Not Found” until then.{' '}
            <Link component={RouterLink} to={checkEmailPath(email)} color="inherit">
              How to verify
            </Link>
          </Alert>
        )}
        <DialogContentText sx={{ mb: 2 }}>
          {isVerified ? 'Anyone' : 'Once you are verified, anyone'} with this link can subscribe. They join the list
          once they confirm by email.
        </DialogContentText>
        <Box
          sx={{
            display: 'flex',
            gap: 1.5,
            alignItems: 'center',
            flexWrap: 'wrap',
            p: 1.5,
            borderRadius: 2,
            bgcolor: 'surface.base',
            border: 1,
            borderColor: 'divider',
          }}
        >
          <Typography variant="mono" sx={{ flex: '1 1 14rem', overflowWrap: 'anywhere' }}>
            {link}
          </Typography>
          <CopyButton text={link} size="small" />
        </Box>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          Close
        </Button>
      </DialogActions>
    </Dialog>
  );
}
