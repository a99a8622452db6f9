import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Dialog from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Typography from '@mui/material/Typography';
import { useId, useState } from 'react';
import { useDispatch } from 'react-redux';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { allTags } from '../../api/live/changes';
import { markStale } from '../../api/live/stale-answers';
import { useClearSession, useLapsedUser, useAskWhoIsSignedIn } from '../../api/session';
import { texts } from '../../lib/texts';
import { useFields } from '../../lib/use-fields';
import { PlainField, usePasswordVisibility } from '../../ui/form/plain-field';
import { SubmitButton } from '../../ui/form/submit-button';
import { messages } from './messages';

/** Shown when the session ended while a screen holds unsaved input: the same person signs in again, or discards the input. */
export function SessionEndedDialog() {
  const user = useLapsedUser();
  return user && <SignInAgain email={user.email} />;
}

const checks = { password: (value: string) => (value ? undefined : texts.passwordMissing) };

function SignInAgain({ email }: { email: string }) {
  const id = useId();
  const { field, submit, pending } = useFields(checks);
  const [error, setError] = useState<string>();
  const [login] = client.useLoginMutation();
  const askWhoIsSignedIn = useAskWhoIsSignedIn();
  const dispatch = useDispatch();
  const clearSession = useClearSession();
  const onSubmit = submit(async ({ password }) => {
    setError(undefined);
    try {
      await login({ loginDto: { email, password } }).unwrap();
      await askWhoIsSignedIn();
      // While nobody was signed in, this tab did not receive changes made elsewhere.
      dispatch(markStale(allTags));
    } catch (fault) {
      setError(errorMessage(fault, messages.loginFallback));
    }
  });
  return (
    <Dialog open maxWidth="xs" fullWidth aria-labelledby={id} aria-describedby={`${id}-text`}>
      <form onSubmit={(event) => void onSubmit(event)} noValidate>
        <DialogTitle id={id}>{messages.sessionEnded}</DialogTitle>
        <DialogContent>
          <Typography id={`${id}-text`} color="textSecondary" sx={{ mb: 2 }}>
            {messages.sessionEndedText}
          </Typography>
          {error && (
            <Alert severity="error" sx={{ mb: 2 }}>
              {error}
            </Alert>
          )}
          <Typography sx={{ mb: 1.5, overflowWrap: 'anywhere' }}>
            Signing in as <strong>{email}</strong>
          </Typography>
          <input type="hidden" name="email" value={email} autoComplete="username" />
          <PlainField
            {...field('password')}
            {...usePasswordVisibility()}
            label="Password"
            autoComplete="current-password"
            spelled={false}
            autoFocus
          />
        </DialogContent>
        <DialogActions>
          <Button color="inherit" onClick={clearSession}>
            Discard what I typed
          </Button>
          <SubmitButton pending={pending}>Sign in</SubmitButton>
        </DialogActions>
      </form>
    </Dialog>
  );
}
