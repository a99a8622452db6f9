import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogContentText from '@mui/material/DialogContentText';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { publicListPath } from '../../../lib/routes';
import { CopyButton } from '../../../ui/copy-button';
import type { EmailList } from '../api';

/** The list's public link. */
export function ShareListDialog({ open, list, onClose }: { open: boolean; list: EmailList; onClose: () => void }) {
  const id = useId();
  const link = location.origin + publicListPath(list.slug);
  return (
    <Dialog open={open} onClose={onClose} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Share {list.name}</DialogTitle>
      <DialogContent>
        <DialogContentText sx={{ mb: 2 }}>Anyone with this link can subscribe. They join the list once they confirm by email.</DialogContentText>
        <Box sx={{ display: 'flex', gap: 1.5, alignItems: 'center', flexWrap: 'wrap', p: 1.5, borderRadius: 2, bgcolor: 'surface.base', border: 1, borderColor: 'surface.line' }}>
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
