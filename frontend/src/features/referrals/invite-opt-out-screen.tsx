import { errorMessage } from '../../api/api-error';
import { fetchJson, type Message } from '../../api/fetch-json';
import { useSearch } from '../../lib/navigation';
import { PRODUCT_NAME } from '../../lib/product';
import { MailLinkAction } from '../../shared/mail-link-action';
import { IconBan } from '../../ui/icons';

const optOut = (token: string) => fetchJson<Message>('POST', '/api/referrals/opt-out', { token });

/** "Never invite me again", for links of old invites; newer ones lead to /never-ask. */
export function InviteOptOutScreen() {
  return (
    <MailLinkAction
      token={useSearch().get('token')}
      run={optOut}
      icon={IconBan}
      title="No more invites?"
      text={`Nobody will be able to invite your address to ${PRODUCT_NAME} again. Lists you subscribed to are not touched.`}
      buttonLabel="Never invite me again"
      doneTitle="No more invites"
      failedTitle="Not changed"
      failureText={(error) => errorMessage(error, 'Please try again.')}
    />
  );
}
