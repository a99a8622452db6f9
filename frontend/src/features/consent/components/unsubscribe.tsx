import CircularProgress from '@mui/material/CircularProgress';
import { useState } from 'react';
import { SubmitButton } from '../../../ui/submit-button';
import { IconBan, IconError } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { failureText, useUnsubscribe } from '../api';
import { mustWait } from '../link-guard';
import { messages } from '../messages';
import { Unsubscribed } from './unsubscribed';

/** Takes the address off: at once, or after one press while the link is fresh. */
export function Unsubscribe({ token, mailedAt }: { token: string; mailedAt: string | null }) {
  const [waiting, setWaiting] = useState(() => mustWait(mailedAt));
  const { data, error } = useUnsubscribe(token, waiting);
  if (waiting) {
    return (
      <Outcome icon={IconBan} title="Unsubscribe?" text="One press and your address is taken off the mailing list of this sender.">
        <SubmitButton type="button" size="large" onClick={() => setWaiting(false)}>
          Unsubscribe
        </SubmitButton>
      </Outcome>
    );
  }
  if (error) {
    return (
      <Outcome
        icon={IconError}
        tone="bad"
        title={messages.unsubscribeFailed}
        text={
          <>
            {failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}
            <br />
            If you still receive mail you do not want, please contact support: reply to the message, it reaches the person who sent it.
          </>
        }
      />
    );
  }
  if (!data) return <Outcome icon={<CircularProgress size={24} aria-label="Unsubscribing" />} title="Unsubscribing" text="This takes a moment." busy />;
  return <Unsubscribed token={token} message={data.message} email={data.email} />;
}
