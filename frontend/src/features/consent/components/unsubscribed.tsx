import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../../api/api-error';
import { SubmitButton } from '../../../ui/submit-button';
import { IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { failureText, useLeaveEverything, useSenders, useUndoUnsubscribe } from '../api';
import { isNetworkLink } from '../link-guard';
import { messages } from '../messages';
import { Senders } from './senders';

/** Done: what happened, and the ways on: back, out of everything, or sender by sender. */
export function Unsubscribed({ token, message, email }: { token: string; message: string; email: string }) {
  const [leave, left] = useLeaveEverything();
  const [undo, undone] = useUndoUnsubscribe();
  const [shown, setShown] = useState(false);
  // All that the link took may have been taken back by the senders' own buttons.
  const isBack = useSenders(token, shown).data?.left === false;
  const error = left.error ?? undone.error;
  if (undone.data) return <Outcome icon={IconMailCheck} tone="good" title={messages.back} text={undone.data.message} />;
  return (
    <Outcome
      icon={IconMailCheck}
      tone="good"
      title={isBack ? messages.back : (left.data?.message ?? message)}
      text={
        <>
          <strong>{email}</strong> {isBack ? messages.returned : messages.removed}
          {!isBack && (
            <Typography component="p" sx={{ mt: 1.5, fontSize: 'inherit' }}>
              {left.data ? 'Nobody sends to it through us any more.' : reach(token)}
            </Typography>
          )}
        </>
      }
    >
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {error && <Alert severity="error">{failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}</Alert>}
        {!isBack && !isTooLate(undone.error) && (
          <div>
            <SubmitButton type="button" variant="outlined" color="inherit" pending={undone.isLoading} onClick={() => void undo(token).catch(() => undefined)}>
              Undo, I want to stay
            </SubmitButton>
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
              Possible for 10 minutes.
            </Typography>
          </div>
        )}
        {!left.data && (
          <Others
            token={token}
            shown={shown}
            onShow={() => setShown(true)}
            everything={
              <SubmitButton type="button" variant="outlined" color="inherit" pending={left.isLoading} onClick={() => void leave(token).catch(() => undefined)}>
                Leave everything, all senders
              </SubmitButton>
            }
          />
        )}
      </Stack>
    </Outcome>
  );
}

/** The other senders, shown when asked for. */
function Others({ token, shown, onShow, everything }: { token: string; shown: boolean; onShow: () => void; everything: ReactNode }) {
  return (
    <Box component="section" aria-label="Other senders" sx={{ width: '100%', borderTop: 1, borderColor: 'surface.line', pt: 2.5 }}>
      <Typography component="h2" variant="h3">
        Mail from others
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2 }}>
        Other senders may have your address too. Leave one of them, or all at once.
      </Typography>
      {shown && (
        <Box sx={{ mb: 2 }}>
          <Senders token={token} />
        </Box>
      )}
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        {!shown && (
          <Button variant="outlined" color="inherit" onClick={onShow}>
            Show my senders
          </Button>
        )}
        {everything}
      </Stack>
    </Box>
  );
}

/** The ten minutes are over: what could be undone is offered no more. */
const isTooLate = (error: unknown) => isApiError(error) && error.status === 410;

const reach = (token: string) =>
  isNetworkLink(token)
    ? 'This holds for the shared network of all senders, and for every list of the sender of this email.'
    : 'This holds for every list of this sender.';
