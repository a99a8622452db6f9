import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Typography from '@mui/material/Typography';
import { useMemo } from 'react';
import { formatDate } from '../../../lib/format';
import { EmptyState } from '../../../ui/empty-state';
import { ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconMail, IconSearch } from '../../../ui/icons';
import { SearchField } from '../../../ui/search-field';
import { StatusBadge } from '../../../ui/status-badge';
import { useNarrow } from '../../../ui/use-narrow';
import { useInvites, type Invite } from '../api';
import { messages } from '../messages';

/** What the state means for its day. */
const whenOf = ({ status, acceptedAt, expiresAt }: Invite) =>
  status === 'accepted' && acceptedAt ? `Joined ${formatDate(acceptedAt)}` : `${status === 'expired' ? 'Expired' : 'Until'} ${formatDate(expiresAt)}`;

const columnsFor = (narrow: boolean): ServerColumn<Invite>[] => [
  { field: 'inviteeEmail', headerName: 'Email', flex: 1, minWidth: 120, renderCell: ({ row }) => <EmailCell invite={row} narrow={narrow} /> },
  { field: 'status', headerName: 'Status', width: 140, sortable: false, wide: true, renderCell: ({ row }) => <StatusBadge status={row.status} /> },
  { field: 'sentAt', headerName: 'Sent', width: 140, wide: true, renderCell: ({ row }) => formatDate(row.sentAt) },
  { field: 'expiresAt', headerName: 'Outcome', width: 190, sortable: false, wide: true, renderCell: ({ row }) => whenOf(row) },
];

/** Every invite by mail and what became of it. */
export function InvitesGrid({ onInvite }: { onInvite: () => void }) {
  const grid = useServerGrid();
  const query = useInvites(grid.args);
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

function EmailCell({ invite, narrow }: { invite: Invite; narrow: boolean }) {
  return (
    <Box sx={{ minWidth: 0, lineHeight: 1.3 }}>
      <Typography variant="mono" noWrap sx={{ display: 'block', fontSize: '0.8125rem' }} title={invite.inviteeEmail}>
        {invite.inviteeEmail}
      </Typography>
      {narrow && (
        <Box sx={{ display: 'flex', gap: 1, alignItems: 'center', mt: 0.5, color: 'text.secondary', fontSize: '0.75rem' }}>
          <StatusBadge status={invite.status} />
          {whenOf(invite)}
        </Box>
      )}
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
      text="Invite a colleague by email, or hand on your link."
      action={
        <Button variant="outlined" color="inherit" onClick={onInvite}>
          Write your first invite
        </Button>
      }
    />
  );
}
