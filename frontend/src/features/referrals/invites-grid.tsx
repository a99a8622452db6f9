import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { client } from '../../api/client';
import { formatDate } from '../../lib/format';
import { SearchField } from '../../ui/form/search-field';
import { PersonCell } from '../../ui/grid/person-cell';
import { ServerDataGrid, type ServerColumn } from '../../ui/grid/server-data-grid';
import { useServerGrid } from '../../ui/grid/use-server-grid';
import { IconMail, IconSearch } from '../../ui/icons';
import { EmptyState } from '../../ui/loading/empty-state';
import { useNarrow } from '../../ui/page/page';
import { StatusBadge } from '../../ui/status-badge';
import { messages, type Invite } from './api';

/** The date that goes with the status. */
const whenText = ({ status, acceptedAt, expiresAt }: Invite) =>
  status === 'accepted' && acceptedAt
    ? `Joined ${formatDate(acceptedAt)}`
    : `${status === 'expired' ? 'Expired' : 'Until'} ${formatDate(expiresAt)}`;

const columnsFor = (narrow: boolean): ServerColumn<Invite>[] => [
  {
    field: 'inviteeEmail',
    headerName: 'Email',
    flex: 1,
    minWidth: 120,
    renderCell: ({ row }) => (
      <PersonCell
        email={row.inviteeEmail}
        below={
          narrow && (
            <>
              <StatusBadge status={row.status} />
              {whenText(row)}
            </>
          )
        }
      />
    ),
  },
  {
    field: 'status',
    headerName: 'Status',
    width: 140,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <StatusBadge status={row.status} />,
  },
  {
    field: 'sentAt',
    headerName: 'Sent',
    width: 140,
    hideOnMobile: true,
    renderCell: ({ row }) => formatDate(row.sentAt),
  },
  {
    field: 'expiresAt',
    headerName: 'Outcome',
    width: 190,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => whenText(row),
  },
];

/** Every invite by email and its status. */
export function InvitesGrid({ onInvite }: { onInvite: () => void }) {
  const grid = useServerGrid();
  const query = client.useListInvitesQuery(grid.args);
  const narrow = useNarrow();
  const columns = useMemo(() => columnsFor(narrow), [narrow]);
  const isBlank = query.data?.total === 0 && !grid.search;
  return (
    <Box component="section" aria-labelledby="invites" sx={{ minWidth: 0 }}>
      <Typography id="invites" variant="h2" sx={{ mt: 1, mb: 1.25 }}>
        Invites
      </Typography>
      <ServerDataGrid<Invite>
        label="invites"
        grid={grid}
        query={query}
        failedText={messages.invitesFailed}
        columns={columns}
        toolbar={
          isBlank ? undefined : (
            <Box sx={{ maxWidth: { md: 380 } }}>
              <SearchField label="Search invites..." value={grid.search} onSearch={grid.setSearch} />
            </Box>
          )
        }
        empty={<NoInvites searching={!isBlank} onInvite={onInvite} />}
      />
    </Box>
  );
}

function NoInvites({ searching, onInvite }: { searching: boolean; onInvite: () => void }) {
  if (searching) return <EmptyState dense icon={IconSearch} title="No invites found matching your search" />;
  return (
    <EmptyState
      dense
      icon={IconMail}
      title="No invites yet"
      text="Invite a colleague by email, or share your link."
      action={
        <Button variant="outlined" color="inherit" onClick={onInvite}>
          Write your first invite
        </Button>
      }
    />
  );
}
