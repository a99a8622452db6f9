import Box from '@mui/material/Box';
import IconButton from '@mui/material/IconButton';
import { ActionMenu, type MenuAction } from '../../../ui/action-menu';
import { Hint } from '../../../ui/hint';
import { IconDelete, IconEdit, IconResend } from '../../../ui/icons';
import type { Contact } from '../api';
import { mayResend } from '../contact-status';

export type ContactAct = 'edit' | 'delete' | 'resend';

interface ContactActionsProps {
  contact: Contact;
  narrow: boolean;
  /** A tab stop only in the cell the grid has as its own, or a page would have a hundred. */
  tabIndex: 0 | -1;
  /** An unverified owner may not resend. */
  canResend: boolean;
  onAct: (act: ContactAct, contact: Contact) => void;
}

/** What can be done with a row: buttons where there is room, else behind dots. */
export function ContactActions({ contact, narrow, tabIndex, canResend, onAct }: ContactActionsProps) {
  const act = (name: ContactAct) => () => onAct(name, contact);
  const actions: MenuAction[] = [
    ...(mayResend(contact) && canResend ? [{ label: 'Resend confirmation', icon: IconResend, onChoose: act('resend') }] : []),
    { label: 'Edit', icon: IconEdit, onChoose: act('edit') },
    { label: 'Delete', icon: IconDelete, onChoose: act('delete'), destructive: true },
  ];
  if (narrow) return <ActionMenu label={`Actions for ${contact.email}`} tabIndex={tabIndex} actions={actions} />;
  return (
    <Box sx={{ display: 'flex', justifyContent: 'flex-end', width: '100%' }}>
      {actions.map(({ label, icon: Mark, onChoose }) => (
        <Hint key={label} title={label}>
          <IconButton size="small" tabIndex={tabIndex} aria-label={`${label} ${contact.email}`} onClick={onChoose}>
            <Mark size={16} aria-hidden />
          </IconButton>
        </Hint>
      ))}
    </Box>
  );
}
