import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { formatDate } from '../../../lib/format';
import { contactStatus, mayResend } from '../../../shared/contact';
import { ActionMenu, type MenuAction } from '../../../ui/action-menu';
import { contactStateColumns } from '../../../shared/contact-columns';
import { PersonCell } from '../../../ui/grid/person-cell';
import { actionsColumn, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { IconDelete, IconEdit, IconResend } from '../../../ui/icons';
import { StatusBadge } from '../../../ui/status-badge';
import { Tooltip } from '../../../ui/tooltip';
import type { Contact } from './api';

interface ColumnOptions {
  narrow: boolean;
  canResend: boolean;
  onAction: (action: ContactAction, contact: Contact) => void;
}

/** Columns: email, status, date added, actions. Below 768 px the first column also shows status and date. */
export const contactColumns = ({ narrow, canResend, onAction }: ColumnOptions): ServerColumn<Contact>[] => [
  {
    field: 'email',
    headerName: 'Email',
    flex: 1,
    minWidth: 120,
    renderCell: ({ row }) => (
      <PersonCell
        email={row.email}
        lines={[row.name]}
        below={
          narrow && (
            <>
              <StatusBadge status={contactStatus(row)} />
              {formatDate(row.createdAt)}
            </>
          )
        }
      />
    ),
  },
  ...contactStateColumns<Contact>(140),
  actionsColumn(narrow ? 56 : 130, ({ row, tabIndex }) => (
    <ContactActions contact={row} tabIndex={tabIndex} narrow={narrow} canResend={canResend} onAction={onAction} />
  )),
];

export type ContactAction = 'edit' | 'delete' | 'resend';

interface ContactActionsProps {
  contact: Contact;
  narrow: boolean;
  /** From the grid's roving tabindex: 0 only in the focused cell. */
  tabIndex: 0 | -1;
  /** An unverified owner may not resend. */
  canResend: boolean;
  onAction: (action: ContactAction, contact: Contact) => void;
}

/** The actions of a row: buttons on a wide screen, a menu on a narrow one. */
function ContactActions({ contact, narrow, tabIndex, canResend, onAction }: ContactActionsProps) {
  const choose = (action: ContactAction) => () => onAction(action, contact);
  const actions: MenuAction[] = [
    ...(mayResend(contact) && canResend
      ? [{ label: 'Resend confirmation', icon: IconResend, onChoose: choose('resend') }]
      : []),
    { label: 'Edit', icon: IconEdit, onChoose: choose('edit') },
    { label: 'Delete', icon: IconDelete, onChoose: choose('delete'), destructive: true },
  ];
  if (narrow) return <ActionMenu label={`Actions for ${contact.email}`} tabIndex={tabIndex} actions={actions} />;
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', width: '100%' }}>
      {actions.map(({ label, icon: Mark, onChoose }) => (
        <Tooltip key={label} title={label}>
          <IconButton size="small" tabIndex={tabIndex} aria-label={`${label} ${contact.email}`} onClick={onChoose}>
            <Mark size={16} aria-hidden />
          </IconButton>
        </Tooltip>
      ))}
    </Box>
  );
}
