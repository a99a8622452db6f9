import { errorMessage } from '../../../api/api-error';
import { IconError, IconMailCheck, IconQuestion } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { SubmitButton } from '../../../ui/submit-button';
import { useDisownAccount } from '../api';

/** "This wasn't me": one button that removes the unverified account. */
export function NotMe({ token }: { token: string | null }) {
  const [disown, { data, error, isLoading }] = useDisownAccount();
  if (data) return <Outcome icon={IconMailCheck} tone="good" title="Account removed" text={data.message} />;
  if (!token) return <Outcome icon={IconError} tone="bad" title="Link incomplete" text="This link carries no token. Open it again from the email." />;
  if (error) return <Outcome icon={IconError} tone="bad" title="Not removed" text={errorMessage(error, 'The link may be expired or already used.')} />;
  return (
    <Outcome
      icon={IconQuestion}
      title="This wasn't you?"
      text="Someone registered an account with your email address. If it wasn't you, remove the account: nothing more will be sent to you."
    >
      <SubmitButton type="button" color="error" size="large" pending={isLoading} onClick={() => void disown(token).catch(() => undefined)}>
        Remove this account
      </SubmitButton>
    </Outcome>
  );
}
