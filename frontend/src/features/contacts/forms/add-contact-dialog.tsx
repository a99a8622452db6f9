import Box from '@mui/material/Box';
import Dialog from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import { scrollsWithin } from '../../../ui/form/dialog-form';
import { BulkImportForm } from './bulk-import-form';
import { SingleContactForm } from './single-contact-form';

interface AddContactDialogProps {
  listId: string;
  onClose: () => void;
  /** An import has started: its progress is followed on the screen. */
  onImport: (jobId: string) => void;
}

/** One contact, or many at once. */
export function AddContactDialog({ listId, onClose, onImport }: AddContactDialogProps) {
  const [tab, setTab] = useState<'single' | 'bulk'>('single');
  const [text, setText] = useState('');
  const id = useId();
  const tabProps = (value: string) => ({ value, id: `${id}-${value}`, 'aria-controls': `${id}-${value}-panel` });
  // A press beside the dialog does not throw away what was pasted.
  const close = (_event: object, reason: 'backdropClick' | 'escapeKeyDown') => {
    if (reason !== 'backdropClick' || !text.trim()) onClose();
  };
  return (
    <Dialog open onClose={close} maxWidth="sm" fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>Add contacts</DialogTitle>
      <Tabs value={tab} onChange={(_event, value: 'single' | 'bulk') => setTab(value)} aria-label="How to add" sx={{ px: 3, borderBottom: 1, borderColor: 'surface.line' }}>
        <Tab {...tabProps('single')} label="Single Contact" />
        <Tab {...tabProps('bulk')} label="Bulk Import" />
      </Tabs>
      <Box role="tabpanel" sx={scrollsWithin} id={`${id}-${tab}-panel`} aria-labelledby={`${id}-${tab}`}>
        {tab === 'single' ? (
          <SingleContactForm listId={listId} onClose={onClose} />
        ) : (
          <BulkImportForm
            listId={listId}
            text={text}
            onText={setText}
            onClose={onClose}
            onStarted={(jobId) => {
              onImport(jobId);
              onClose();
            }}
          />
        )}
      </Box>
    </Dialog>
  );
}
