import Box from '@mui/material/Box';
import Typography from '@mui/material/Typography';
import { formatDate } from '../../../lib/format';
import type { ServerColumn } from '../../../ui/grid/server-data-grid';
import { StatusBadge } from '../../../ui/status-badge';
import type { Contact } from '../api';
import { contactStatus } from '../contact-status';
import { ContactActions, type ContactAct } from './contact-actions';

interface Options {
  narrow: boolean;
  canResend: boolean;
  onAct: (act: ContactAct, contact: Contact) => void;
}

/** Email, Status, Added Date, Actions; under 768 px the first holds status and date as well. */
export const contactColumns = ({ narrow, canResend, onAct }: Options): ServerColumn<Contact>[] => [
  { field: 'email', headerName: 'Email', flex: 1, minWidth: 120, renderCell: ({ row }) => <EmailCell contact={row} narrow={narrow} /> },
  { field: 'confirmed', headerName: 'Status', width: 150, sortable: false, wide: true, renderCell: ({ row }) => <StatusBadge status={contactStatus(row)} /> },
  { field: 'createdAt', headerName: 'Added Date', width: 140, wide: true, renderCell: ({ row }) => formatDate(row.createdAt) },
  {
    field: 'actions',
    headerName: 'Actions',
    width: narrow ? 56 : 130,
    align: 'right',
    headerAlign: 'right',
    sortable: false,
    renderCell: ({ row, tabIndex }) => <ContactActions contact={row} tabIndex={tabIndex} narrow={narrow} canResend={canResend} onAct={onAct} />,
  },
];

function EmailCell({ contact, narrow }: { contact: Contact; narrow: boolean }) {
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
      <Typography variant="mono" noWrap sx={{ display: 'block', fontSize: '0.8125rem' }} title={contact.email}>
        {contact.email}
      </Typography>
      {contact.name && (
        <Typography variant="caption" color="textSecondary" noWrap sx={{ display: 'block' }}>
          {contact.name}
        </Typography>
      )}
      {narrow && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mt: 0.5, color: 'text.secondary', fontSize: '0.75rem' }}>
          <StatusBadge status={contactStatus(contact)} />
          {formatDate(contact.createdAt)}
        </Box>
      )}
    </Box>
  );
}
