import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { client } from '../../api/client';
import { routes } from '../../lib/routes';
import { IconUpgrade } from '../../ui/icons';
import { BackLink } from '../../ui/page/back-link';
import { Page, PageHeader } from '../../ui/page/page';
import { MailAccountsTab } from './mail-accounts/mail-accounts-tab';
import { ActivityTab } from './mail/activity-tab';
import { SendersTab } from './mail/senders-tab';
import { SendsTab } from './mail/sends-tab';
import { SuppressionsTab } from './mail/suppressions-tab';
import { TodayNumbers } from './mail/today-numbers';
import { messages } from './messages';
import { UrlTabs } from '../../ui/page/url-tabs';

/** Sends, senders and suppressions over all users, the mail accounts and the activity log. */
export function OperationsScreen() {
  const { data } = client.useGetOverviewQuery();
  return (
    <Page>
      <PageHeader
        title="Operations"
        lead={<BackLink to={routes.admin.path} label="Back to admin" />}
        description="Mail of all users, suppressed addresses, the mail accounts and the activity log."
        action={
          <Button
            component="a"
            href="/api/admin/queues"
            target="_blank"
            rel="noopener"
            variant="outlined"
            color="inherit"
            endIcon={<IconUpgrade size={16} aria-hidden />}
          >
            Queues
          </Button>
        }
      />
      {data?.filesScanned === false && (
        <Alert severity="warning" sx={{ mb: 2 }}>
          {messages.filesUnscanned}
        </Alert>
      )}
      <TodayNumbers />
      <UrlTabs
        label="Operations"
        tabs={[
          { value: 'sends', label: 'Sends', content: () => <SendsTab /> },
          { value: 'senders', label: 'Senders', count: data?.flaggedUsers, content: () => <SendersTab /> },
          { value: 'suppressions', label: 'Suppressions', content: () => <SuppressionsTab /> },
          { value: 'accounts', label: 'Mail accounts', content: () => <MailAccountsTab /> },
          { value: 'activity', label: 'Activity', content: () => <ActivityTab /> },
        ]}
      />
    </Page>
  );
}
