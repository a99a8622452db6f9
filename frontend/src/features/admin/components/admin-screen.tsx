import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { IconDashboard } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { useOverview } from '../api';
import { PendingTab } from './pending-tab';
import { SubscriptionsTab } from './subscriptions-tab';
import { TabSet } from './tab-set';
import { UsersTab } from './users-tab';

/** Accounts and contacts, for the people who run the product. The default list's table is the one of any list. */
export function AdminScreen({ defaultList }: { defaultList: ReactNode }) {
  const { data } = useOverview();
  return (
    <Page>
      <PageHeader
        title="Admin"
        description="Verify people, look after accounts and contacts. Everything done here is written down with your name."
        action={
          <Button component={Link} to={routes.operations.path} variant="outlined" color="inherit" startIcon={<IconDashboard size={16} aria-hidden />}>
            Operations
          </Button>
        }
      />
      <TabSet
        label="Admin"
        tabs={[
          { value: 'pending', label: 'Pending Verifications', count: data?.pendingUsers, content: () => <PendingTab /> },
          { value: 'users', label: 'Users', content: () => <UsersTab /> },
          { value: 'subscriptions', label: 'Subscriptions', count: data?.waitingImports, content: () => <SubscriptionsTab /> },
          { value: 'default-list', label: 'Default List', content: () => defaultList },
        ]}
      />
    </Page>
  );
}
