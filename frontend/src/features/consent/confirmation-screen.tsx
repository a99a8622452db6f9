import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import { AppLink, useSearch } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { IconError, IconMailCheck } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { failureText, messages, useConfirmation } from './api';

/** Confirms on load, then says so or what went wrong. */
function Confirmation({ token }: { token: string | null }) {
  const { data, error } = useConfirmation(token);
  if (!token)
    return (
      <ResultPage icon={IconError} tone="error" title={messages.confirmFailed} text={messages.noConfirmationToken} />
    );
  if (error) {
    return (
      <ResultPage
        icon={IconError}
        tone="error"
        title={messages.confirmFailed}
        text={failureText(error, messages.confirmFailedText, messages.confirmUnreachable)}
      >
        <Button component={AppLink} to={routes.home.path} variant="outlined" color="inherit">
          Go to home
        </Button>
      </ResultPage>
    );
  }
  if (!data)
    return (
      <ResultPage
        icon={<CircularProgress size={24} aria-label="Confirming" />}
        title="Confirming your subscription"
        text="This takes a moment."
        busy
      />
    );
  return (
    <ResultPage
      icon={IconMailCheck}
      tone="success"
      title={messages.confirmed}
      text={
        <>
          <strong>{data.email}</strong> now receives mail from <strong>{data.listName}</strong>. Every message carries a
          link to leave.
        </>
      }
    >
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button component={AppLink} to={routes.dashboard.path} variant="contained">
          Create an account
        </Button>
        <Button component={AppLink} to={routes.home.path} variant="outlined" color="inherit">
          Go to home
        </Button>
      </Stack>
    </ResultPage>
  );
}

export function ConfirmationScreen() {
  const params = useSearch();
  return (
    <PlainCard>
      <Confirmation token={params.get('token')} />
    </PlainCard>
  );
}
