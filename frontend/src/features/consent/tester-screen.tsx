import { fetchJson, type Message } from '../../api/fetch-json';
import { useSearch } from '../../lib/navigation';
import { PRODUCT_NAME } from '../../lib/product';
import { MailLinkAction } from '../../shared/mail-link-action';
import { IconMailCheck } from '../../ui/icons';
import { failureText, messages } from './api';

const confirmTester = (token: string) => fetchJson<Message>('POST', '/api/testers/confirm', { token });

/** Confirms that a user may send tests of emails to this address. */
export function TesterScreen() {
  return (
    <MailLinkAction
      token={useSearch().get('token')}
      run={confirmTester}
      icon={IconMailCheck}
      title={messages.testerTitle}
      text={`Someone on ${PRODUCT_NAME} wants to send you tests of emails before they go out. Their name is in the email with this link. Ignore this and nothing will come.`}
      buttonLabel="Confirm"
      doneTitle={messages.testerConfirmed}
      failedTitle={messages.testerFailed}
      failureText={(error) => failureText(error, messages.tryAgain, messages.tryAgain)}
    />
  );
}
