import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useState, type ReactNode } from 'react';
import { isApiError } from '../../api/api-error';
import { usePathPart, useSearch } from '../../lib/navigation';
import { SubmitButton } from '../../ui/form/submit-button';
import { IconBan, IconError, IconMailCheck } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import {
  failureText,
  messages,
  useLeaveEverything,
  useSenders,
  useUndoUnsubscribe,
  useUnsubscribe,
  type Senders as SendersAnswer,
} from './api';
import { Senders } from './senders';

/** Unsubscribes at once, or after a press of the button while the link is new. */
function Unsubscribe({ token, mailedAt }: { token: string; mailedAt: string | null }) {
  const [waiting, setWaiting] = useState(() => mustWait(mailedAt));
  const { data, error } = useUnsubscribe(token, waiting);
  if (waiting) {
    return (
      <ResultPage
        icon={IconBan}
        title="Unsubscribe?"
        text="One press and your address is taken off the mailing list of this sender."
      >
        <SubmitButton type="button" size="large" onClick={() => setWaiting(false)}>
          Unsubscribe
        </SubmitButton>
      </ResultPage>
    );
  }
  if (error) {
    return (
      <ResultPage
        icon={IconError}
        tone="error"
        title={messages.unsubscribeFailed}
        text={
          <>
            {failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}
            <br />
            If you still receive mail you do not want, please contact support: reply to the message, it reaches the
            person who sent it.
          </>
        }
      />
    );
  }
  if (!data)
    return (
      <ResultPage
        icon={<CircularProgress size={24} aria-label="Unsubscribing" />}
        title="Unsubscribing"
        text="This takes a moment."
        busy
      />
    );
  return <Unsubscribed token={token} message={data.message} email={data.email} />;
}

/** What was unsubscribed, with the ways to undo it or to leave more senders. */
function Unsubscribed({ token, message, email }: { token: string; message: string; email: string }) {
  const [leave, left] = useLeaveEverything();
  const [undo, undone] = useUndoUnsubscribe();
  const [showsSenders, setShowsSenders] = useState(false);
  // The sender buttons may have undone everything that the link did.
  const senders = useSenders(token, showsSenders);
  const isBack = senders.data?.left === false;
  const error = left.error ?? undone.error;
  if (undone.data)
    return <ResultPage icon={IconMailCheck} tone="success" title={messages.back} text={undone.data.message} />;
  return (
    <ResultPage
      icon={IconMailCheck}
      tone="success"
      title={isBack ? messages.back : (left.data?.message ?? message)}
      text={
        <>
          <strong>{email}</strong> {isBack ? messages.returned : messages.removed}
          {!isBack && (
            <Typography component="p" sx={{ mt: 1.5, fontSize: 'inherit' }}>
              {left.data ? 'No sender on our service mails it any more.' : scopeText(token)}
            </Typography>
          )}
        </>
      }
    >
      <Stack sx={{ gap: 2, alignItems: 'flex-start' }}>
        {error && (
          <Alert severity="error">
            {failureText(error, messages.unsubscribeFailed, messages.unsubscribeUnreachable)}
          </Alert>
        )}
        {!isBack && !isTooLate(undone.error) && (
          <div>
            <SubmitButton
              type="button"
              variant="outlined"
              color="inherit"
              pending={undone.isLoading}
              onClick={() => void undo(token).catch(() => undefined)}
            >
              Undo, I want to stay
            </SubmitButton>
            <Typography variant="body2" color="textSecondary" sx={{ mt: 0.5 }}>
              Possible for 10 minutes.
            </Typography>
          </div>
        )}
        {!left.data && (
          <OtherSenders
            token={token}
            senders={showsSenders ? senders : null}
            onShow={() => setShowsSenders(true)}
            everything={
              <SubmitButton
                type="button"
                variant="outlined"
                color="inherit"
                pending={left.isLoading}
                onClick={() => void leave(token).catch(() => undefined)}
              >
                Leave everything, all senders
              </SubmitButton>
            }
          />
        )}
      </Stack>
    </ResultPage>
  );
}

/** The other senders, shown when asked for. */
function OtherSenders({
  token,
  senders,
  onShow,
  everything,
}: {
  token: string;
  senders: SendersAnswer | null;
  onShow: () => void;
  everything: ReactNode;
}) {
  return (
    <Box
      component="section"
      aria-label="Other senders"
      sx={{ width: '100%', borderTop: 1, borderColor: 'divider', pt: 2.5 }}
    >
      <Typography component="h2" variant="h3">
        Mail from others
      </Typography>
      <Typography color="textSecondary" sx={{ mt: 0.5, mb: 2 }}>
        Other senders may have your address too. Leave one of them, or all at once.
      </Typography>
      {senders && (
        <Box sx={{ mb: 2 }}>
          <Senders token={token} answer={senders} />
        </Box>
      )}
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        {!senders && (
          <Button variant="outlined" color="inherit" onClick={onShow}>
            Show my senders
          </Button>
        )}
        {everything}
      </Stack>
    </Box>
  );
}

/** Whether the ten minutes for undoing are over. */
const isTooLate = (error: unknown) => isApiError(error) && error.status === 410;

const scopeText = (token: string) =>
  isNetworkLink(token)
    ? 'This applies to the shared network of all senders, and to every list of the sender of this email.'
    : 'This applies to every list of this sender.';

/** Used instead of a token in the links of test messages. */
const TEST_TOKEN = 'test';

export function UnsubscribeScreen() {
  const token = usePathPart('unsubscribe', 'token');
  const params = useSearch();
  if (token === TEST_TOKEN)
    return (
      <PlainCard>
        <ResultPage icon={IconMailCheck} title={messages.testTitle} text={messages.testText} />
      </PlainCard>
    );
  return (
    <PlainCard>
      <Unsubscribe token={token} mailedAt={params.get('m')} />
    </PlainCard>
  );
}

/** LINK_GUARD_SECONDS from the page's meta tag; 0 if there is none. */
function guardSeconds(): number {
  const text = document.querySelector<HTMLMetaElement>('meta[name="link-guard-seconds"]')?.content;
  const seconds = Number(text);
  return Number.isFinite(seconds) && seconds > 0 ? seconds : 0;
}

/**
 * Whether the page waits for a press of the button. Some mail scanners open links and run their scripts within minutes
 * of delivery.
 * @param m the time of mailing in unix seconds, base 36; a link without it unsubscribes at once
 */
export function mustWait(m: string | null, now = Date.now(), guard = guardSeconds()): boolean {
  if (!m || guard === 0 || !/^[0-9a-z]+$/i.test(m)) return false;
  const mailedAt = Number.parseInt(m, 36);
  return now / 1000 - mailedAt < guard;
}

/** In a mail to the shared network, the token names its sender after a dot. */
const isNetworkLink = (token: string): boolean => token.includes('.');
