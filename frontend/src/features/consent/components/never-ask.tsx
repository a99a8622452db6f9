import { PRODUCT_NAME } from '../../../lib/product';
import { IconBan, IconError, IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { SubmitButton } from '../../../ui/submit-button';
import { failureText, useNeverAsk } from '../api';
import { messages } from '../messages';

/** "Never ask me again", from a confirmation mail or an invite: one button, since opening a mailed link must change nothing. */
export function NeverAsk({ token }: { token: string }) {
  const [neverAsk, { data, error, isLoading }] = useNeverAsk();
  if (data) return <Outcome icon={IconMailCheck} tone="good" title={messages.neverAsked} text={data.message} />;
  if (error) return <Outcome icon={IconError} tone="bad" title={messages.neverAskFailed} text={failureText(error, messages.tryAgain, messages.tryAgain)} />;
  return (
    <Outcome
      icon={IconBan}
      title={messages.neverAskTitle}
      text={`You will get no confirmation email and no invitation from anybody on ${PRODUCT_NAME} any more. If this link came with a confirmation email, all lists you are on stop as well.`}
    >
      <SubmitButton type="button" size="large" pending={isLoading} onClick={() => void neverAsk(token).catch(() => undefined)}>
        Never ask me again
      </SubmitButton>
    </Outcome>
  );
}
