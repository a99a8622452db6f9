import Button from '@mui/material/Button';
import { routes } from '../../../lib/routes';
import { BackLink } from '../../../ui/back-link';
import { IconUpgrade } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { QUEUES_URL, useOverview } from '../api';
import { ActivityTab } from './activity-tab';
import { ProvidersTab } from './providers-tab';
import { SendersTab } from './senders-tab';
import { SendsTab } from './sends-tab';
import { SuppressionsTab } from './suppressions-tab';
import { TabSet } from './tab-set';
import { TodayNumbers } from './today-numbers';

/** What goes out and comes back over all users, and what keeps it going. */
export function OperationsScreen() {
  const { data } = useOverview();
  return (
    <Page>
      <PageHeader
        title="Operations"
        lead={<BackLink to={routes.admin.path} label="Back to admin" />}
        description="Mail over all users, who must not be mailed, the mail accounts and what was done."
        action={
          <Button component="a" href={QUEUES_URL} target="_blank" rel="noopener" variant="outlined" color="inherit" endIcon={<IconUpgrade size={16} aria-hidden />}>
            Queues
          </Button>
        }
      />
      <TodayNumbers />
      <TabSet
        label="Operations"
        tabs={[
          { value: 'sends', label: 'Sends', content: () => <SendsTab /> },
          { value: 'senders', label: 'Senders', count: data?.flaggedUsers, content: () => <SendersTab /> },
          { value: 'suppressions', label: 'Suppressions', content: () => <SuppressionsTab /> },
          { value: 'accounts', label: 'Mail accounts', content: () => <ProvidersTab /> },
          { value: 'activity', label: 'Activity', content: () => <ActivityTab /> },
        ]}
      />
    </Page>
  );
}
