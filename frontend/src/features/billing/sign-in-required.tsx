import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import { Link as RouterLink } from 'react-router-dom';
import { loginPath, routes } from '../../lib/routes';
import { IconUser } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { messages } from './messages';

/** The upgrade page for people who are not signed in. */
export function SignInRequired() {
  return (
    <PlainCard>
      <ResultPage
        icon={IconUser}
        title={messages.authenticationRequired}
        text="Sign in to upgrade to Pro. You come back here afterwards."
      >
        <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
          <Button component={RouterLink} to={loginPath(routes.upgrade.path)} variant="contained">
            Sign In
          </Button>
          <Button component={RouterLink} to={routes.register.path} variant="outlined" color="inherit">
            Create an account
          </Button>
        </Stack>
      </ResultPage>
    </PlainCard>
  );
}
