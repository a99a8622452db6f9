import { errorMessage } from '../../../api/api-error';
import { PRODUCT_NAME } from '../../../lib/product';
import { IconBan, IconError, IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { SubmitButton } from '../../../ui/submit-button';
import { useInviteOptOut } from '../api';

/** "Never invite me again", for the links of invites that went out before they led to /never-ask: one button, since opening a mailed link must change nothing. */
export function NoInvitesPanel({ token }: { token: string | null }) {
  const [optOut, { data, error, isLoading }] = useInviteOptOut();
  if (data) return <Outcome icon={IconMailCheck} tone="good" title="No more invites" text={data.message} />;
  if (!token) return <Outcome icon={IconError} tone="bad" title="Link incomplete" text="This link carries no token. Open it again from the email." />;
  if (error) return <Outcome icon={IconError} tone="bad" title="Not changed" text={errorMessage(error, 'Please try again.')} />;
  return (
    <Outcome icon={IconBan} title="No more invites?" text={`Nobody will be able to invite your address to ${PRODUCT_NAME} again. Lists you subscribed to are not touched.`}>
      <SubmitButton type="button" size="large" pending={isLoading} onClick={() => void optOut(token).catch(() => undefined)}>
        Never invite me again
      </SubmitButton>
    </Outcome>
  );
}
