import type { ReactNode } from 'react';
import { useFetchMutation, type Message } from '../api/fetch-json';
import { SubmitButton } from '../ui/form/submit-button';
import { IconError, IconMailCheck, type Icon } from '../ui/icons';
import { PlainCard, ResultPage } from '../ui/page/public-page';

interface MailLinkActionProps {
  /** Token from the mailed link; empty or null if the link is incomplete. */
  token: string | null;
  run: (token: string) => Promise<Message>;
  icon: Icon;
  title: string;
  text: string;
  /** Choices before the button is pressed. */
  choices?: ReactNode;
  /** False when there is nothing to do with the present choices. */
  canAct?: boolean;
  buttonLabel: string;
  destructive?: boolean;
  doneTitle: string;
  failedTitle: string;
  failureText: (error: unknown) => string;
}

/**
 * The page of a mailed link that acts when its button is pressed. Opening such a link must change nothing, since mail
 * scanners open links.
 */
export function MailLinkAction(props: MailLinkActionProps) {
  const { token, run, icon, title, text, buttonLabel, destructive, doneTitle, failedTitle, failureText } = props;
  const { choices, canAct = true } = props;
  const [act, { data, error, isLoading }] = useFetchMutation(run);
  return (
    <PlainCard>
      {data ? (
        <ResultPage icon={IconMailCheck} tone="success" title={doneTitle} text={data.message} />
      ) : !token ? (
        <ResultPage
          icon={IconError}
          tone="error"
          title="Link incomplete"
          text="This link carries no token. Open it again from the email."
        />
      ) : error ? (
        <ResultPage icon={IconError} tone="error" title={failedTitle} text={failureText(error)} />
      ) : (
        <ResultPage icon={icon} title={title} text={text}>
          {choices}
          <SubmitButton
            type="button"
            size="large"
            color={destructive ? 'error' : 'primary'}
            pending={isLoading}
            disabled={!canAct}
            onClick={() => void act(token).catch(() => undefined)}
          >
            {buttonLabel}
          </SubmitButton>
        </ResultPage>
      )}
    </PlainCard>
  );
}
