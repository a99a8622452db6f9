import Button from '@mui/material/Button';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { client } from '../../api/client';
import { routes } from '../../lib/routes';
import { IconDashboard } from '../../ui/icons';
import { Page, PageHeader } from '../../ui/page/page';
import { SubscriptionsTab } from './contacts/subscriptions-tab';
import { ReportedFilesTab } from './files/reported-files-tab';
import { UrlTabs } from '../../ui/page/url-tabs';
import { PendingTab } from './users/pending-tab';
import { UsersTab } from './users/users-tab';

/** Accounts and contacts of all users. @param defaultList the contacts of the shared list */
export function AdminScreen({ defaultList }: { defaultList: ReactNode }) {
  const { data } = client.useGetOverviewQuery();
  return (
    <Page>
      <PageHeader
        title="Admin"
        description="Verify people, manage accounts and contacts. Everything done here is recorded with your name."
        action={
          <Button
            component={Link}
            to={routes.operations.path}
            variant="outlined"
            color="inherit"
            startIcon={<IconDashboard size={16} aria-hidden />}
          >
            Operations
          </Button>
        }
      />
      <UrlTabs
        label="Admin"
        tabs={[
          {
            value: 'pending',
            label: 'Pending Verifications',
            count: data?.pendingUsers,
            content: () => <PendingTab />,
          },
          { value: 'users', label: 'Users', content: () => <UsersTab /> },
          {
            value: 'subscriptions',
            label: 'Subscriptions',
            count: data?.waitingImports,
            content: () => <SubscriptionsTab />,
          },
          {
            value: 'files',
            label: 'Reported files',
            count: data?.reportedFiles,
            content: () => <ReportedFilesTab />,
          },
          { value: 'default-list', label: 'Default List', content: () => defaultList },
        ]}
      />
    </Page>
  );
}
