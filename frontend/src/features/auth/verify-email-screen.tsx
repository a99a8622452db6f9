import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { errorMessage } from '../../api/api-error';
import { fetchJson, type Message } from '../../api/fetch-json';
import { AppLink, useNavigation, useSearch } from '../../lib/navigation';
import { routes } from '../../lib/routes';
import { IconError, IconMailCheck } from '../../ui/icons';
import { PlainCard, ResultPage } from '../../ui/page/public-page';
import { useToast } from '../../ui/toast/toast';
import { messages } from './messages';

const REDIRECT_MS = 2000;

type Phase = { name: 'loading' } | { name: 'success' | 'error'; text: string };

/** Verifies on load, then leads to / after 2 seconds, or says what went wrong. */
function VerifyEmail({ token }: { token: string | null }) {
  const [phase, setPhase] = useState<Phase>(
    token ? { name: 'loading' } : { name: 'error', text: messages.noVerificationToken },
  );
  const used = useRef<string>(undefined);
  const { go } = useNavigation();
  const toast = useToast();
  const run = useEffectEvent(async (given: string) => {
    try {
      const { message } = await fetchJson<Message>('POST', '/api/auth/verify-email', { token: given });
      setPhase({ name: 'success', text: message || messages.verified });
      toast({ title: messages.success, description: messages.verifiedToast, variant: 'success' });
    } catch (error) {
      setPhase({ name: 'error', text: errorMessage(error, messages.verificationFailedText) });
      toast({
        title: messages.verificationFailed,
        description: messages.verificationFailedHint,
        variant: 'destructive',
      });
    }
  });
  useEffect(() => {
    // The token works once: React's double effects in development must not use it twice.
    if (!token || used.current === token) return;
    used.current = token;
    void run(token);
  }, [token]);
  const leave = useEffectEvent(() => go(routes.home.path, { replace: true }));
  useEffect(() => {
    if (phase.name !== 'success') return;
    const timer = setTimeout(() => leave(), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [phase.name]);

  if (phase.name === 'loading')
    return (
      <ResultPage
        icon={<CircularProgress size={24} aria-label="Verifying" />}
        title="Verifying your email"
        text="This takes a moment."
        busy
      />
    );
  if (phase.name === 'success')
    return <ResultPage icon={IconMailCheck} tone="success" title="Email verified" text={phase.text} />;
  return (
    <ResultPage icon={IconError} tone="error" title={messages.verificationFailed} text={phase.text}>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button component={AppLink} to={routes.login.path} variant="contained">
          Go to Login
        </Button>
        <Button component={AppLink} to={routes.register.path} variant="outlined" color="inherit">
          Register
        </Button>
      </Stack>
    </ResultPage>
  );
}

export function VerifyEmailScreen() {
  const params = useSearch();
  return (
    <PlainCard>
      <VerifyEmail token={params.get('token')} />
    </PlainCard>
  );
}
