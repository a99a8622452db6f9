import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { Link as RouterLink } from 'react-router-dom';
import { formatDate, plural } from '../../../lib/format';
import { contactsFoundPath } from '../../../lib/routes';
import { ActionMenu } from '../../../ui/action-menu';
import { actionsColumn, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { IconDelete, IconEdit } from '../../../ui/icons';
import { reasonLabels, type DoNotSendRule } from './rules';

interface RuleColumnOptions {
  narrow: boolean;
  onEdit: (rule: DoNotSendRule) => void;
  onDelete: (rule: DoNotSendRule) => void;
}

/** Columns: value, reason, note, last day, matches, actions. Below 768 px the first column shows all of them. */
export const ruleColumns = ({ narrow, onEdit, onDelete }: RuleColumnOptions): ServerColumn<DoNotSendRule>[] => [
  {
    field: 'value',
    headerName: 'Address or domain',
    flex: 1.4,
    minWidth: 160,
    renderCell: ({ row, tabIndex }) => <RuleValue rule={row} narrow={narrow} tabIndex={tabIndex} />,
  },
  {
    field: 'reason',
    headerName: 'Reason',
    width: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => reasonLabels[row.reason],
  },
  {
    field: 'note',
    headerName: 'Note',
    flex: 1,
    minWidth: 120,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <span title={row.note ?? undefined}>{row.note ?? ''}</span>,
  },
  {
    field: 'until',
    headerName: 'Until',
    width: 120,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => (row.until ? formatDate(row.until) : ''),
  },
  {
    field: 'createdAt',
    headerName: 'Added',
    width: 120,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.createdAt),
  },
  {
    field: 'matches',
    headerName: 'Matches',
    width: 150,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row, tabIndex }) => <Matches rule={row} tabIndex={tabIndex} />,
  },
  actionsColumn<DoNotSendRule>(80, ({ row, tabIndex }) => (
    <ActionMenu
      label={`Actions for ${row.value}`}
      tabIndex={tabIndex}
      actions={[
        { label: 'Edit', icon: IconEdit, onChoose: () => onEdit(row) },
        { label: 'Delete', icon: IconDelete, onChoose: () => onDelete(row), destructive: true },
      ]}
    />
  )),
];

function RuleValue({ rule, narrow, tabIndex }: { rule: DoNotSendRule; narrow: boolean; tabIndex: 0 | -1 }) {
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.4 }}>
      <Typography variant="mono" noWrap title={rule.value} sx={{ display: 'block' }}>
        {rule.value}
      </Typography>
      {narrow && (
        <Typography variant="caption" color="textSecondary" component="div" noWrap>
          {reasonLabels[rule.reason]} · <Matches rule={rule} tabIndex={tabIndex} />
        </Typography>
      )}
    </Box>
  );
}

/** 'Matches 12 contacts', as a link to these contacts. */
function Matches({ rule: { value, matches }, tabIndex }: { rule: DoNotSendRule; tabIndex: 0 | -1 }) {
  const text = `Matches ${plural(matches, 'contact')}`;
  if (matches === 0) return text;
  return (
    <Link component={RouterLink} to={contactsFoundPath(value)} tabIndex={tabIndex} color="inherit">
      {text}
    </Link>
  );
}
