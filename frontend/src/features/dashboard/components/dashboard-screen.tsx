import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { IconSend } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { useCurrentUser } from '../api';
import { QuickLinks } from './quick-links';
import { RecentSends } from './recent-sends';

const partOfDay = (hour: number) => (hour < 12 ? 'Good morning' : hour < 18 ? 'Good afternoon' : 'Good evening');

/** Where the day starts: what is left to send, the ways on, the last sends. */
export function DashboardScreen() {
  const { firstName, entitlements } = useCurrentUser();
  const greeting = `${partOfDay(new Date().getHours())}${firstName ? `, ${firstName}` : ''}.`;
  const left = entitlements.remainingToday === null ? 'You can send as often as you like.' : `You have ${plural(entitlements.remainingToday, 'send')} left today.`;
  return (
    <Page>
      <PageHeader
        title="Dashboard"
        description={`${greeting} ${left}`}
        action={
          <Button component={RouterLink} to={routes.send.path} variant="contained" startIcon={<IconSend size={16} aria-hidden />}>
            Send Email
          </Button>
        }
      />
      <QuickLinks />
      <Box sx={{ mt: 4 }}>
        <RecentSends />
      </Box>
    </Page>
  );
}
