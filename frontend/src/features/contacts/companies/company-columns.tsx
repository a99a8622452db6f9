import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { formatCount, formatDate, plural } from '../../../lib/format';
import { contactsOfCompanyPath } from '../../../lib/routes';
import { ActionMenu } from '../../../ui/action-menu';
import { actionsColumn, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { IconBan, IconCheck, IconEdit } from '../../../ui/icons';
import { Tag } from '../../../ui/tag';
import { kindLabels, type Company } from './companies';

interface CompanyColumnOptions {
  narrow: boolean;
  onEdit: (company: Company) => void;
  onBlock: (company: Company) => void;
  onAllow: (company: Company) => void;
}

/**
 * Columns: domain with name, kind, contacts, last mailed, cap per send, actions. Below 768 px the first column shows
 * all of them.
 */
export const companyColumns = ({ narrow, onEdit, onBlock, onAllow }: CompanyColumnOptions): ServerColumn<Company>[] => [
  {
    field: 'domain',
    headerName: 'Company',
    flex: 1.4,
    minWidth: 160,
    renderCell: ({ row, tabIndex }) => <CompanyName company={row} narrow={narrow} tabIndex={tabIndex} />,
  },
  {
    field: 'kind',
    headerName: 'Kind',
    width: 130,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => (row.kind ? kindLabels[row.kind] : ''),
  },
  {
    field: 'contacts',
    headerName: 'Contacts',
    width: 110,
    align: 'right',
    headerAlign: 'right',
    hideOnMobile: true,
    renderCell: ({ row }) => formatCount(row.contacts),
  },
  {
    field: 'lastMailedAt',
    headerName: 'Last mailed',
    width: 130,
    hideOnMobile: true,
    renderCell: ({ row }) => (row.lastMailedAt ? formatDate(row.lastMailedAt) : ''),
  },
  {
    field: 'maxPerSend',
    headerName: 'At most per send',
    width: 150,
    align: 'right',
    headerAlign: 'right',
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => row.maxPerSend ?? '',
  },
  {
    field: 'doNotSendId',
    headerName: 'Sending',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => row.doNotSendId && <Tag icon={IconBan}>Do not send</Tag>,
  },
  actionsColumn<Company>(80, ({ row, tabIndex }) => (
    <ActionMenu
      label={`Actions for ${row.domain}`}
      tabIndex={tabIndex}
      actions={[
        { label: 'Edit', icon: IconEdit, onChoose: () => onEdit(row) },
        row.doNotSendId
          ? { label: 'Send again', icon: IconCheck, onChoose: () => onAllow(row) }
          : { label: 'Do not send', icon: IconBan, onChoose: () => onBlock(row), destructive: true },
      ]}
    />
  )),
];

function CompanyName({ company, narrow, tabIndex }: { company: Company; narrow: boolean; tabIndex: 0 | -1 }) {
  const { domain, name, contacts, kind, maxPerSend, doNotSendId } = company;
  const facts = [
    plural(contacts, 'contact'),
    kind && kindLabels[kind],
    maxPerSend && `at most ${maxPerSend} per send`,
    doNotSendId && 'do not send',
  ].filter(Boolean);
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.35 }}>
      <Link
        component={RouterLink}
        to={contactsOfCompanyPath(domain)}
        tabIndex={tabIndex}
        color="inherit"
        underline="hover"
        noWrap
        title={`Everyone at ${domain}`}
        sx={{ display: 'block', fontWeight: 560, fontSize: '0.875rem' }}
      >
        {name ?? domain}
      </Link>
      {name && (
        <Typography
          variant="mono"
          noWrap
          title={domain}
          sx={{ display: 'block', fontSize: '0.75rem', color: 'text.secondary' }}
        >
          {domain}
        </Typography>
      )}
      {narrow && (
        <Typography variant="caption" color="textSecondary" component="div" noWrap title={facts.join(' · ')}>
          {facts.join(' · ')}
        </Typography>
      )}
    </Box>
  );
}
