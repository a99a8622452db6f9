import { errorMessage } from '../../api/api-error';
import { fetchJson, type Message } from '../../api/fetch-json';
import { useSearch } from '../../lib/navigation';
import { MailLinkAction } from '../../shared/mail-link-action';
import { IconQuestion } from '../../ui/icons';

const disownAccount = (token: string) => fetchJson<Message>('POST', '/api/auth/disown', { token });

/** "This wasn't me": removes the unverified account that somebody registered with the address. */
export function NotMeScreen() {
  return (
    <MailLinkAction
      token={useSearch().get('token')}
      run={disownAccount}
      icon={IconQuestion}
      title="This wasn't you?"
      text="Someone registered an account with your email address. If it wasn't you, remove the account: nothing more will be sent to you."
      buttonLabel="Remove this account"
      destructive
      doneTitle="Account removed"
      failedTitle="Not removed"
      failureText={(error) => errorMessage(error, 'The link may be expired or already used.')}
    />
  );
}
