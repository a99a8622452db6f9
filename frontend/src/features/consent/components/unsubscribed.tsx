import Alert from '@mui/material/Alert';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { SubmitButton } from '../../../ui/submit-button';
import { IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { failureText, useLeaveEverything, useUndoUnsubscribe } from '../api';
import { messages } from '../messages';

/** Done: what happened, and the two ways on, back or out of everything. */
export function Unsubscribed({ token, message, email }: { token: string; message: string; email: string }) {
  const [leave, left] = useLeaveEverything();
  const [undo, undone] = useUndoUnsubscribe();
  const error = left.error ?? undone.error;
  if (undone.data) return <Outcome icon={IconMailCheck} tone="good" title="Welcome back" text={undone.data.message} />;
  return (
    <Outcome
      icon={IconMailCheck}
      tone="good"
      title={left.data?.message ?? message}
      text={
        <>
          <strong>{email}</strong> {messages.removed}
          <Typography component="p" sx={{ mt: 1.5, fontSize: 'inherit' }}>
            {left.data ? 'Nobody sends to it through us any more.' : 'This holds for every list of this sender.'}
          </Typography>
        </>
      }
    >
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {error && <Alert severity="error">{failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}</Alert>}
        {!left.data && (
          <SubmitButton type="button" variant="outlined" color="inherit" pending={left.isLoading} onClick={() => void leave(token).catch(() => undefined)}>
            Leave everything, all senders
          </SubmitButton>
        )}
        <div>
          <SubmitButton type="button" variant="text" pending={undone.isLoading} onClick={() => void undo(token).catch(() => undefined)} sx={{ ml: -1.5 }}>
            Undo, I want to stay
          </SubmitButton>
          <Typography variant="body2" color="textSecondary">
            Possible for 10 minutes.
          </Typography>
        </div>
      </Stack>
    </Outcome>
  );
}
