import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import Typography from '@mui/material/Typography';
import { useSession } from '../../api/session';
import { AppLink, useSearch } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { IconMail } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { ResendButton } from './resend-button';

/** Says where the verification link was sent and what to do with it. */
function CheckEmail({ email }: { email: string | null }) {
  const { user } = useSession();
  const mayResend = Boolean(user && !user.isVerified);
  return (
    <ResultPage
      icon={IconMail}
      title="Check Your Email"
      text={
        email ? (
          <>
            We sent a verification link to{' '}
            <Typography component="strong" variant="mono" color="textPrimary" sx={{ fontWeight: 600 }}>
              {email}
            </Typography>
          </>
        ) : (
          'We sent you a verification link.'
        )
      }
    >
      <Box component="ol" sx={{ pl: 2.5, my: 0, '& li': { mb: 1 }, '& li::marker': { color: 'text.secondary' } }}>
        <li>Open the email and click the link. It is valid for 24 hours.</li>
        <li>Not there? Check your spam or junk folder.</li>
        <li>
          {mayResend ? 'Still nothing? Request a new link here:' : 'Still nothing? Sign in and request a new link.'}
        </li>
      </Box>
      {mayResend && (
        <Box sx={{ mt: 1, mb: 3 }}>
          <ResendButton label="Request a new link" variant="outlined" color="inherit" />
        </Box>
      )}
      <Link component={AppLink} to={user ? routes.dashboard.path : routes.login.path}>
        {user ? 'Back to dashboard' : 'Back to login'}
      </Link>
    </ResultPage>
  );
}

export function CheckEmailScreen() {
  const params = useSearch();
  return (
    <PlainCard>
      <CheckEmail email={params.get('email')} />
    </PlainCard>
  );
}
