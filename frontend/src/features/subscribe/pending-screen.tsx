import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import { AppLink } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { IconMail } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { messages } from './api';

/** Shown after subscribing, until the person opens the mailed link. */
function Pending() {
  return (
    <ResultPage
      icon={IconMail}
      title={messages.pendingTitle}
      text="You are almost there. Confirm the address by email."
    >
      <Box
        component="ol"
        sx={{ pl: 2.5, mt: 0, mb: 3, '& li': { mb: 1 }, '& li::marker': { color: 'text.secondary' } }}
      >
        <li>
          Open your inbox and look for our confirmation email. It may take a minute; check your spam or junk folder too.
        </li>
        <li>Click the link in it. It is valid for 30 days.</li>
        <li>That is all: from then on you receive the emails you asked for, and each one lets you leave.</li>
      </Box>
      <Button component={AppLink} to={routes.home.path} variant="outlined" color="inherit">
        Go to home
      </Button>
    </ResultPage>
  );
}

export function PendingScreen() {
  return (
    <PlainCard>
      <Pending />
    </PlainCard>
  );
}
