import { fetchJson, type Message } from '../../api/fetch-json';
import { usePathPart } from '../../lib/navigation';
import { PRODUCT_NAME } from '../../lib/product';
import { MailLinkAction } from '../../shared/mail-link-action';
import { IconBan } from '../../ui/icons';
import { failureText, messages } from './api';

const neverAsk = (token: string) => fetchJson<Message>('POST', `/api/never-ask/${encodeURIComponent(token)}`);

/** "Never ask me again", from a confirmation mail or an invite. */
export function NeverAskScreen() {
  return (
    <MailLinkAction
      token={usePathPart('neverAsk', 'token')}
      run={neverAsk}
      icon={IconBan}
      title={messages.neverAskTitle}
      text={`You will get no confirmation email and no invitation from anybody on ${PRODUCT_NAME} any more. If this link came with a confirmation email, all lists you are on stop as well.`}
      buttonLabel="Never ask me again"
      doneTitle={messages.neverAsked}
      failedTitle={messages.neverAskFailed}
      failureText={(error) => failureText(error, messages.tryAgain, messages.tryAgain)}
    />
  );
}
