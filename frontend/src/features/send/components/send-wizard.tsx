import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Stack from '@mui/material/Stack';
import Typography from '@mui/material/Typography';
import { useEffect, useRef, useState, type FormEvent } from 'react';
import { useNavigate } from 'react-router-dom';
import { errorMessage, isApiError } from '../../../api/api-error';
import { formatDuration, plural } from '../../../lib/format';
import { routes } from '../../../lib/routes';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { IconArrowLeft, IconArrowRight, IconError, IconSend } from '../../../ui/icons';
import { Page } from '../../../ui/page';
import { PageHeader } from '../../../ui/page-header';
import { SubmitButton } from '../../../ui/submit-button';
import { useToast } from '../../../ui/toast';
import { useIsForNobody, useSendEmail } from '../api';
import { isBegun, LAST_STEP, mayGoOn } from '../draft';
import { messages, stepNames } from '../messages';
import { useDraft } from '../use-draft';
import { useDropGoneLists } from '../use-drop-gone-lists';
import { AudienceStep } from './audience-step';
import { ContentStep } from './content-step';
import { DraftNotice } from './draft-notice';
import { LeaveGuard } from './leave-guard';
import { PreviewStep } from './preview-step';
import { StartFrom } from './start-from';
import { StepProgress } from './step-progress';
import { SubjectStep } from './subject-step';

const steps = [AudienceStep, SubjectStep, ContentStep, PreviewStep] as const;
const REDIRECT_MS = 1000;

/** Compose and send, in four steps. */
export function SendWizard() {
  const state = useDraft();
  const { draft, restored, go, takeKey, clear, forget } = state;
  const [phase, setPhase] = useState<'writing' | 'sending' | 'sent'>('writing');
  const [startingOver, setStartingOver] = useState(false);
  const [failure, setFailure] = useState<string | null>(null);
  const send = useSendEmail();
  const toast = useToast();
  const navigate = useNavigate();
  const heading = useStepFocus(draft.step);
  useDropGoneLists(state);
  const Step = steps[draft.step] ?? AudienceStep;
  const isLast = draft.step === LAST_STEP;
  const isForNobody = useIsForNobody(draft);

  useEffect(() => {
    if (phase !== 'sent') return;
    const timer = setTimeout(() => void navigate(routes.history.path), REDIRECT_MS);
    return () => clearTimeout(timer);
  }, [phase, navigate]);

  const deliver = async () => {
    setPhase('sending');
    setFailure(null);
    try {
      const { message, recipientCount } = await send(draft, takeKey());
      forget();
      setPhase('sent');
      toast({ title: messages.sent, description: message || `On its way to ${plural(recipientCount, 'recipient')}.`, variant: 'success' });
    } catch (error) {
      setPhase('writing');
      const description = errorMessage(error, messages.failedText);
      setFailure(`${messages.failed}: ${description}${waitOf(error)}`);
      toast({ title: messages.failed, description, variant: 'destructive' });
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phase !== 'writing') return;
    if (isLast) void deliver();
    else if (mayGoOn(draft)) move(draft.step + 1);
  };
  const move = (to: number) => {
    setFailure(null);
    go(to);
  };
  return (
    <Page width="narrow">
      <PageHeader title="Send Email" description="Choose who gets it, write it, look at it, send it." />
      {restored && phase === 'writing' && (
        <Alert severity="info" sx={{ mb: 2.5 }} action={<Button size="small" color="inherit" onClick={() => setStartingOver(true)}>Start over</Button>}>
          You are going on with the draft you left.
        </Alert>
      )}
      <DraftNotice state={state} />
      <Paper variant="outlined" component="form" onSubmit={submit} sx={{ p: { xs: 2, sm: 3 } }}>
        <StepProgress step={draft.step} />
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ mb: 2.5, outline: 'none' }}>
          {stepNames[draft.step]}
        </Typography>
        <Step state={state} isLocked={phase !== 'writing'} />
        {failure && isLast && (
          <Alert severity="error" icon={<IconError size={18} aria-hidden />} sx={{ mt: 2.5, overflowWrap: 'anywhere' }}>
            {failure}
          </Alert>
        )}
        <Stack direction="row" sx={{ justifyContent: 'space-between', gap: 1.5, mt: 4 }}>
          <Button variant="outlined" color="inherit" startIcon={<IconArrowLeft size={16} aria-hidden />} disabled={draft.step === 0 || phase !== 'writing'} onClick={() => move(draft.step - 1)}>
            Previous
          </Button>
          {isLast ? (
            <SubmitButton pending={phase === 'sending'} disabled={phase === 'sent' || isForNobody} startIcon={<IconSend size={16} aria-hidden />} loadingPosition="start">
              Send Email
            </SubmitButton>
          ) : (
            <Button type="submit" variant="contained" endIcon={<IconArrowRight size={16} aria-hidden />} disabled={!mayGoOn(draft)}>
              Next
            </Button>
          )}
        </Stack>
      </Paper>
      <StartFrom state={state} />
      <LeaveGuard when={phase !== 'sent' && isBegun(draft)} isSending={phase === 'sending'} />
      <ConfirmDialog
        open={startingOver}
        title="Start over?"
        confirmLabel="Discard draft"
        destructive
        onConfirm={() => {
          clear();
          setStartingOver(false);
        }}
        onCancel={() => setStartingOver(false)}
      >
        {`The draft${draft.subject ? ` "${draft.subject}"` : ''} is discarded. This action cannot be undone.`}
      </ConfirmDialog>
    </Page>
  );
}

/** When the server takes the next try, where it says so. */
const waitOf = (error: unknown) => (isApiError(error) && error.retryAfter ? ` You can try again in ${formatDuration(error.retryAfter)}.` : '');

/** Each new step starts at its heading, unless a field of it takes the focus. */
function useStepFocus(step: number) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef(step);
  useEffect(() => {
    if (seen.current === step) return;
    seen.current = step;
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [step]);
  return heading;
}
