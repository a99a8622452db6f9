import { useMemo } from 'react';
import { client } from '../../../api/client';
import { formatCount, plural } from '../../../lib/format';
import { useOpenInAddress } from '../../../lib/use-address';
import { FilterBar, GridFilter } from '../../../ui/grid/filter-bar';
import { PersonCell } from '../../../ui/grid/person-cell';
import { RowButton } from '../../../ui/grid/row-button';
import { actionsColumn, ServerDataGrid, type ServerColumn } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSend } from '../../../ui/icons';
import { EmptyState } from '../../../ui/loading/empty-state';
import { useNarrow } from '../../../ui/page/page';
import { StatusBadge } from '../../../ui/status-badge';
import type { MailSender } from '../api';
import { messages } from '../messages';
import { UserDrawer } from '../users/user-drawer';
import { FlagBadge, percent } from '../users/user-status';

const choices = [
  { value: 'all', label: 'All senders' },
  { value: 'flagged', label: 'Flagged' },
] as const;

/** Complaint and bounce rates of everyone who sent recently, the worst first. */
export function SendersTab() {
  const [opened, open, close] = useOpenInAddress('person');
  const grid = useServerGrid({ name: 'senders', filters: { show: choices.map(({ value }) => value) } });
  const { show } = grid.filters;
  const query = client.useListMailSendersQuery({ ...grid.args, ...(show === 'flagged' && { only: 'flagged' }) });
  const narrow = useNarrow();
  const columns = useMemo(() => senderColumns(narrow, open), [narrow, open]);
  return (
    <>
      <ServerDataGrid<MailSender>
        label="senders"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={112}
        getRowId={(row) => row.userId}
        toolbar={
          <FilterBar label="Search senders..." grid={grid}>
            <GridFilter grid={grid} name="show" label="Which senders" choices={choices} />
          </FilterBar>
        }
        empty={
          <EmptyState
            dense
            icon={IconSend}
            title={messages.noSenders}
            text="Accounts are flagged from 0.1% complaints on 1,000 mails: watch. From 0.3%: high."
          />
        }
      />
      <UserDrawer userId={opened} onClose={close} />
    </>
  );
}

function SenderState({ sender: { suspended, flag } }: { sender: MailSender }) {
  if (suspended) return <StatusBadge status="unsubscribed" word="Suspended" />;
  return flag === 'none' ? <StatusBadge status="confirmed" word="Good" /> : <FlagBadge flag={flag} />;
}

const numberColumn = (
  field: string,
  headerName: string,
  width: number,
  show: (row: MailSender) => string,
): ServerColumn<MailSender> => ({
  field,
  headerName,
  width,
  sortable: false,
  hideOnMobile: true,
  align: 'right',
  headerAlign: 'right',
  renderCell: ({ row }) => show(row),
});

const senderColumns = (narrow: boolean, open: (userId: string) => void): ServerColumn<MailSender>[] => [
  {
    field: 'name',
    headerName: 'Sender',
    flex: 1,
    minWidth: 150,
    sortable: false,
    renderCell: ({ row }) =>
      narrow ? (
        <PersonCell
          name={row.name}
          email={row.email}
          lines={[
            `${plural(row.last30Days.mails, 'mail')} in 30 days, ${percent(row.last30Days.bounceRate)} bounced`,
            `Complaints ${percent(row.last7Days.complaintRate)} in 7 days, ${percent(row.last30Days.complaintRate)} in 30`,
          ]}
          below={<SenderState sender={row} />}
        />
      ) : (
        <PersonCell name={row.name} email={row.email} />
      ),
  },
  numberColumn('mails', 'Mails, 30 days', 130, (row) => formatCount(row.last30Days.mails)),
  numberColumn('complaints7', 'Complaints, 7 days', 145, (row) => percent(row.last7Days.complaintRate)),
  numberColumn('complaints30', 'Complaints, 30 days', 150, (row) => percent(row.last30Days.complaintRate)),
  numberColumn('bounces30', 'Bounces, 30 days', 140, (row) => percent(row.last30Days.bounceRate)),
  {
    field: 'flag',
    headerName: 'Flag',
    width: 160,
    sortable: false,
    hideOnMobile: true,
    renderCell: ({ row }) => <SenderState sender={row} />,
  },
  actionsColumn(90, ({ row, tabIndex }) => (
    <RowButton tabIndex={tabIndex} onClick={() => open(row.userId)} label={`Open ${row.email}`}>
      Open
    </RowButton>
  )),
];
