import { useMemo } from 'react';
import { useOpenInAddress } from '../../../lib/use-address';
import { EmptyState } from '../../../ui/empty-state';
import { ChoiceField } from '../../../ui/form/choice-field';
import { ServerDataGrid } from '../../../ui/grid/server-data-grid';
import { useServerGrid } from '../../../ui/grid/use-server-grid';
import { IconSearch } from '../../../ui/icons';
import { useNarrow } from '../../../ui/use-narrow';
import { useUsers, type AdminUser, type UserFilter } from '../api';
import { messages } from '../messages';
import { FilterBar } from './filter-bar';
import { userColumns } from './user-columns';
import { UserDrawer } from './user-drawer';

const choices = [
  { value: 'all', label: 'All users' },
  { value: 'admins', label: 'Admins' },
  { value: 'suspended', label: 'Suspended' },
  { value: 'unverified', label: 'Unverified' },
] as const;
type Choice = (typeof choices)[number]['value'];
const filters: Record<Choice, UserFilter> = { all: {}, admins: { isAdmin: true }, suspended: { suspended: true }, unverified: { isVerified: false } };

/** Every account: a row opens what can be known and done about it. */
export function UsersTab() {
  const [opened, open, close] = useOpenInAddress('person');
  const grid = useServerGrid({ name: 'users', filters: { show: choices.map(({ value }) => value) } });
  const { show } = grid.filters;
  const query = useUsers(grid.args, filters[show]);
  const narrow = useNarrow();
  const columns = useMemo(() => userColumns({ narrow, onOpen: open }), [narrow, open]);
  return (
    <>
      <ServerDataGrid<AdminUser>
        label="users"
        grid={grid}
        query={query}
        failedText={messages.loadFailed}
        columns={columns}
        stackedHeight={104}
        toolbar={
          <FilterBar label="Search users..." grid={grid}>
            <ChoiceField label="Which users" hideLabel value={show} choices={choices} onChange={(value) => grid.setFilter('show', value)} />
          </FilterBar>
        }
        empty={<EmptyState dense icon={IconSearch} title={messages.noUsers} />}
      />
      <UserDrawer userId={opened} onClose={close} />
    </>
  );
}
