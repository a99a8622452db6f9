import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import LinearProgress from '@mui/material/LinearProgress';
import Link from '@mui/material/Link';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useId } from 'react';
import { Link as RouterLink } from 'react-router-dom';
import { errorMessage } from '../../api/api-error';
import { client } from '../../api/client';
import { useCurrentUser } from '../../api/session';
import { checkEmailPath, NEW_LIST_PATH, routes } from '../../lib/routes';
import { IconCheck } from '../../ui/icons';
import { useToast } from '../../ui/toast/toast';
import { VisuallyHidden } from '../../ui/visually-hidden';
import { messages, type Onboarding } from './api';

interface Step {
  title: string;
  text: string;
  done: boolean;
  to: string;
}

const stepsOf = (state: Onboarding, email: string): Step[] => [
  {
    title: 'Verify your email address',
    text: 'Open the link that we mailed you. Nothing goes out before.',
    done: state.verified,
    to: checkEmailPath(email),
  },
  {
    title: 'Create a list',
    text: 'A group of people you write to: vendors, hiring managers, bench partners.',
    done: state.hasList,
    to: NEW_LIST_PATH,
  },
  {
    title: 'Add contacts',
    text: 'One by one, by pasting lines, or from a CSV file; or share the public link of your list.',
    done: state.hasContact,
    to: routes.lists.path,
  },
  {
    title: 'Get the first confirmation',
    text: 'Everyone you add gets one email that asks them to confirm. Only people who confirmed receive your sends: it proves that they agreed, and it keeps your mail out of spam folders.',
    done: state.hasConfirmed,
    to: routes.lists.path,
  },
  {
    title: 'Send your first email',
    text: 'Choose your list, write, look at the preview, send.',
    done: state.hasSent,
    to: routes.send.path,
  },
];

/** Whether a step is open and the person has not hidden the steps. */
export const isOnboarding = (state: Onboarding | undefined): state is Onboarding =>
  Boolean(state) &&
  !state?.dismissed &&
  !(state?.verified && state.hasList && state.hasContact && state.hasConfirmed && state.hasSent);

/** The first steps of a new account. The app checks off each step by itself; the list disappears after the last one. */
export function FirstSteps({ state }: { state: Onboarding }) {
  const id = useId();
  const { email } = useCurrentUser();
  const [dismiss, { isLoading }] = client.useDismissOnboardingMutation();
  const toast = useToast();
  const steps = stepsOf(state, email);
  const done = steps.filter((step) => step.done).length;
  const next = steps.find((step) => !step.done);
  const hide = () =>
    dismiss()
      .unwrap()
      .catch((error: unknown) =>
        toast({
          title: messages.dismissFailed,
          description: errorMessage(error, messages.dismissFailedText),
          variant: 'destructive',
        }),
      );
  return (
    <Paper variant="outlined" component="section" aria-labelledby={id} sx={{ p: { xs: 2, md: 2.5 } }}>
      <Box sx={{ display: 'flex', alignItems: 'center', gap: 2, flexWrap: 'wrap' }}>
        <Typography id={id} variant="h2" sx={{ fontSize: '1rem' }}>
          First steps
        </Typography>
        <Typography variant="body2" color="textSecondary" sx={{ fontVariantNumeric: 'tabular-nums' }}>
          {done} of {steps.length} done
        </Typography>
        <LinearProgress
          variant="determinate"
          value={(100 * done) / steps.length}
          aria-hidden
          sx={{ flex: '1 1 80px', maxWidth: 180, height: 5, borderRadius: 1 }}
        />
        <Button size="small" color="inherit" loading={isLoading} onClick={() => void hide()} sx={{ ml: 'auto' }}>
          Hide these steps
        </Button>
      </Box>
      <Box component="ol" sx={{ m: 0, mt: 1.5, p: 0, listStyle: 'none', display: 'grid', gap: 0.25 }}>
        {steps.map((step, index) => (
          <StepLine key={step.title} step={step} number={index + 1} isNext={step === next} />
        ))}
      </Box>
    </Paper>
  );
}

function StepLine({
  step: { title, text, done, to },
  number,
  isNext,
}: {
  step: Step;
  number: number;
  isNext: boolean;
}) {
  return (
    <Box
      component="li"
      aria-current={isNext ? 'step' : undefined}
      sx={{ display: 'flex', gap: 1.5, p: 1, mx: -1, borderRadius: 2, bgcolor: isNext ? 'accentSoft' : 'transparent' }}
    >
      <Box
        aria-hidden
        sx={{
          width: 24,
          height: 24,
          flexShrink: 0,
          borderRadius: '50%',
          display: 'grid',
          placeItems: 'center',
          fontSize: '0.75rem',
          fontWeight: 600,
          border: 1,
          borderColor: done ? 'tone.success.main' : 'controlBorder',
          bgcolor: done ? 'tone.success.soft' : 'transparent',
          color: done ? 'tone.success.main' : 'text.secondary',
        }}
      >
        {done ? <IconCheck size={14} strokeWidth={2.6} aria-hidden /> : number}
      </Box>
      <Box sx={{ minWidth: 0 }}>
        {done ? (
          <Typography component="span" color="textSecondary" sx={{ fontWeight: 560 }}>
            {title}
            <VisuallyHidden>: done</VisuallyHidden>
          </Typography>
        ) : (
          <Link component={RouterLink} to={to} sx={{ fontWeight: 600 }}>
            {title}
          </Link>
        )}
        {!done && (
          <Typography variant="body2" color="textSecondary" sx={{ mt: 0.25, maxWidth: '72ch' }}>
            {text}
          </Typography>
        )}
      </Box>
    </Box>
  );
}
