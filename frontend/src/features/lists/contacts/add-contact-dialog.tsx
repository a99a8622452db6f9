import Box from '@mui/material/Box';
import Tab from '@mui/material/Tab';
import Tabs from '@mui/material/Tabs';
import { useId, useState } from 'react';
import { scrollsWithin } from '../../../ui/dialog/dialog-form';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { BulkImportForm } from './bulk-import-form';
import { SingleContactForm } from './contact-forms';

interface AddContactDialogProps {
  listId: string;
  onClose: () => void;
  /** Called when an import has started; the screen then shows its progress. */
  onImport: (jobId: string) => void;
}

type Way = 'single' | 'bulk';

/** Adds one contact, or many at once. Both forms stay mounted, so that typed text is kept when the tab is changed. */
export function AddContactDialog({ listId, onClose, onImport }: AddContactDialogProps) {
  const [way, setWay] = useState<Way>('single');
  const id = useId();
  const tab = (value: Way) => ({ value, id: `${id}-${value}`, 'aria-controls': `${id}-${value}-panel` });
  const panel = (value: Way) => ({
    role: 'tabpanel',
    id: `${id}-${value}-panel`,
    'aria-labelledby': `${id}-${value}`,
    hidden: way !== value,
    sx: way === value ? scrollsWithin : { display: 'none' },
  });
  const started = (jobId: string) => {
    onImport(jobId);
    onClose();
  };
  return (
    <GuardedDialog title="Add contacts" maxWidth="sm" onClose={onClose}>
      <Tabs
        value={way}
        onChange={(_event, value: Way) => setWay(value)}
        aria-label="How to add"
        sx={{ px: 3, flexShrink: 0, borderBottom: 1, borderColor: 'divider' }}
      >
        <Tab {...tab('single')} label="Single Contact" />
        <Tab {...tab('bulk')} label="Bulk Import" />
      </Tabs>
      <Box {...panel('single')}>
        <SingleContactForm listId={listId} onClose={onClose} />
      </Box>
      <Box {...panel('bulk')}>
        <BulkImportForm listId={listId} onStarted={started} />
      </Box>
    </GuardedDialog>
  );
}
