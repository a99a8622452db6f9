import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../../../lib/routes';
import { IconError, IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { failureText, useConfirmation } from '../api';
import { messages } from '../messages';

/** Confirms on load: loading, then done or what went wrong. */
export function Confirmation({ token }: { token: string | null }) {
  const { data, error } = useConfirmation(token);
  if (!token) return <Outcome icon={IconError} tone="bad" title={messages.confirmFailed} text={messages.noConfirmationToken} />;
  if (error) {
    return (
      <Outcome icon={IconError} tone="bad" title={messages.confirmFailed} text={failureText(error, messages.confirmFailedText, messages.confirmUnreachable)}>
        <Button component={RouterLink} to={routes.home.path} variant="outlined" color="inherit">
          Go to home
        </Button>
      </Outcome>
    );
  }
  if (!data) return <Outcome icon={<CircularProgress size={24} aria-label="Confirming" />} title="Confirming your subscription" text="This takes a moment." busy />;
  return (
    <Outcome
      icon={IconMailCheck}
      tone="good"
      title={messages.confirmed}
      text={
        <>
          <strong>{data.email}</strong> now receives mail from <strong>{data.listName}</strong>. Every message carries a link to leave.
        </>
      }
    >
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button component={RouterLink} to={routes.dashboard.path} variant="contained">
          Create an account
        </Button>
        <Button component={RouterLink} to={routes.home.path} variant="outlined" color="inherit">
          Go to home
        </Button>
      </Stack>
    </Outcome>
  );
}
