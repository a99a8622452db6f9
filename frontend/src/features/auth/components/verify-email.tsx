import Button from '@mui/material/Button';
import CircularProgress from '@mui/material/CircularProgress';
import Stack from '@mui/material/Stack';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import { Link as RouterLink, useNavigate } from 'react-router-dom';
import { errorMessage } from '../../../api/api-error';
import { routes } from '../../../lib/routes';
import { IconError, IconMailCheck } from '../../../ui/icons';
import { Outcome } from '../../../ui/outcome';
import { useToast } from '../../../ui/toast';
import { useVerifyEmail } from '../api';
import { messages } from '../messages';

const REDIRECT_MS = 2000;

type Phase = { name: 'loading' } | { name: 'success' | 'error'; text: string };

/** Loading, then success (and on to / after 2 seconds) or error. */
export function VerifyEmail({ token }: { token: string | null }) {
  const [phase, setPhase] = useState<Phase>(token ? { name: 'loading' } : { name: 'error', text: messages.noVerificationToken });
  const used = useRef<string>(undefined);
  const verify = useVerifyEmail();
  const navigate = useNavigate();
  const toast = useToast();
  const run = useEffectEvent(async (given: string) => {
    try {
      const { message } = await verify(given);
      setPhase({ name: 'success', text: message || messages.verified });
      toast({ title: messages.success, description: messages.verifiedToast, variant: 'success' });
    } catch (error) {
      setPhase({ name: 'error', text: errorMessage(error, messages.verificationFailedText) });
      toast({ title: messages.verificationFailed, description: messages.verificationFailedHint, variant: 'destructive' });
    }
  });
  useEffect(() => {
    // The token acts once: React's double effects in development must not spend it twice.
    if (!token || used.current === token) return;
    used.current = token;
    void run(token);
  }, [token]);
  useEffect(() => {
    if (phase.name !== 'success') return;
    const timer = setTimeout(() => void navigate(routes.home.path, { replace: true }), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [phase.name, navigate]);

  if (phase.name === 'loading') return <Outcome icon={<CircularProgress size={24} aria-label="Verifying" />} title="Verifying your email" text="This takes a moment." busy />;
  if (phase.name === 'success') return <Outcome icon={IconMailCheck} tone="good" title="Email verified" text={phase.text} />;
  return (
    <Outcome icon={IconError} tone="bad" title={messages.verificationFailed} text={phase.text}>
      <Stack direction="row" sx={{ gap: 1.5, flexWrap: 'wrap' }}>
        <Button component={RouterLink} to={routes.login.path} variant="contained">
          Go to Login
        </Button>
        <Button component={RouterLink} to={routes.register.path} variant="outlined" color="inherit">
          Register
        </Button>
      </Stack>
    </Outcome>
  );
}
