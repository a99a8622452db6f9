import { screenHeaders } from '../../../lib/screen-headers';
import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Paper from '@mui/material/Paper';
import Typography from '@mui/material/Typography';
import { useEffect, useEffectEvent, useRef, useState, type FormEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { isDialogOpen } from '../../../lib/keyboard';
import { sendDraftPath } from '../../../lib/routes';
import { useAddress } from '../../../lib/use-address';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import type { EditorHandle } from '../../../ui/editor/editor-handle';
import { IconError } from '../../../ui/icons';
import { Page, PageHeader } from '../../../ui/page/page';
import { CheckDialogs, CheckSection } from '../check/check-section';
import { type FindingPlace, stepOfPlace } from '../check/finding-place';
import { useLastStepCheck } from '../check/use-last-step-check';
import { isUncounted } from '../check/use-send-check';
import { isSameTime, useCurrentUser } from '../api';
import { useUploads } from '../files/use-uploads';
import { isSameComposition, isStarted, LAST_STEP, isStepComplete } from '../draft';
import { messages, stepNames } from '../messages';
import { ConflictDialog } from '../drafts/conflict-dialog';
import type { StoredVersion } from '../drafts/save-state';
import { DraftsBanner } from '../drafts/drafts-banner';
import type { OpenedDraft } from '../drafts/opened-draft';
import { SaveStatus } from '../drafts/save-status';
import { useDraft, type ConflictChoice } from '../use-draft';
import { useRemoveDeletedLists } from '../audience/use-remove-deleted-lists';
import { AddressDialog } from './address-dialog';
import { AudienceStep } from '../audience/audience-step';
import { ContentStep } from '../composition/content-step';
import { DraftNotice } from './draft-notice';
import { GoneSegments } from '../audience/gone-segments';
import { LeaveGuard } from './leave-guard';
import { PreviewStep } from '../preview/preview-step';
import type { PreviewRecipient } from '../preview/preview-recipient';
import { useRequirementDialog } from '../requirement/use-requirement-dialog';
import { useTestDialog } from '../test-send/use-test-dialog';
import { useSendOrSchedule } from '../when/use-send-or-schedule';
import { WhenChoice, type When } from '../when/when-choice';
import { PreselectedAudience } from '../audience/preselected-audience';
import { SendWarnings } from './send-warnings';
import { StepProgress } from './step-progress';
import { SubjectStep } from '../composition/subject-step';
import { WizardButtons } from './wizard-buttons';

const steps = [AudienceStep, SubjectStep, ContentStep, PreviewStep] as const;

interface SendWizardProps {
  opened: OpenedDraft;
  /** Called when the email was saved as a draft for the first time. */
  onCreated: (id: string) => void;
  /** Called when the draft was discarded. */
  onDiscarded: () => void;
  /** Loads a scheduled email again that was changed elsewhere. */
  onReload?: () => void;
}

/** The four steps to write and send an email. */
export function SendWizard({ opened, onCreated, onDiscarded, onReload }: SendWizardProps) {
  const editor = useRef<EditorHandle>(null);
  const state = useDraft(opened, onCreated, editor);
  const { draft, state: saved, go, discard } = state;
  const { scheduled } = opened;
  const { phase, failure, deliver, clearFailure, addressFor, stopAsking } = useSendOrSchedule(state, scheduled);
  const [when, setWhen] = useWhen(scheduled);
  const [isAsked, setAsked] = useState(false);
  const [startingOver, setStartingOver] = useState(false);
  const [recipient, setRecipient] = useState<PreviewRecipient | null>(null);
  const [place, setPlace] = useState<FindingPlace | null>(null);
  const test = useTestDialog();
  const requirement = useRequirementDialog(state);
  const { write } = useAddress();
  const heading = useStepFocus(draft.step, place !== null);
  useRemoveDeletedLists(state);
  const uploads = useUploads(state);
  const waiting = uploads.pending.map((name) => `${name} is still being uploaded.`);
  const Step = steps[draft.step] ?? AudienceStep;
  const isLast = draft.step === LAST_STEP;
  const isSafe =
    saved.name === 'saved' || saved.name === 'sent' || saved.name === 'scheduled' || saved.name === 'clean';
  const settle = async (how: ConflictChoice, other: StoredVersion) => {
    const newDraftId = await state.settle(how, other);
    if (newDraftId) write({}, { replace: true, pathname: sendDraftPath(newDraftId) });
  };
  const isNow = when.mode === 'now';
  const check = useLastStepCheck(state, phase !== 'writing', isNow, () => void deliver(when));
  const isUnsaved = scheduled
    ? !isSameComposition(draft, scheduled.composition) || !isSameTime(when.time, scheduled)
    : isStarted(draft) && !isSafe;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (phase !== 'writing') return;
    if (isLast) {
      if (check.toFix.length + waiting.length > 0) return;
      setAsked(true);
      if (isNow) check.press.press();
      else if (when.time.at !== '') void deliver(when);
    } else if (isStepComplete(draft)) move(draft.step + 1);
  };
  const move = (to: number, target: FindingPlace | null = null) => {
    clearFailure();
    check.press.stop();
    setPlace(target);
    go(to);
  };
  // The shortcut never sends: the last step has to be confirmed with its button.
  const next = useEffectEvent(() => {
    if (!isDialogOpen() && !isLast && phase === 'writing' && isStepComplete(draft)) move(draft.step + 1);
  });
  useEffect(() => tinykeys(window, { '$mod+Enter': () => next() }, { ignore: (event) => event.repeat }), []);
  return (
    <Page width="narrow">
      <PageHeader {...screenHeaders.send} />
      {opened.fromCopy && !opened.stored && phase === 'writing' && (
        <Alert
          severity="info"
          sx={{ mb: 2.5 }}
          action={
            <Button size="small" color="inherit" onClick={() => setStartingOver(true)}>
              Start over
            </Button>
          }
        >
          {messages.restored}
        </Alert>
      )}
      <DraftsBanner isWanted={!opened.stored && !isStarted(draft) && phase === 'writing'} />
      <GoneSegments names={opened.stored?.goneSegments ?? []} />
      <DraftNotice state={state} />
      <Paper variant="outlined" component="form" onSubmit={submit} onBlur={state.saveNow} sx={{ p: { xs: 2, sm: 3 } }}>
        <StepProgress step={draft.step} status={<SaveStatus state={saved} />} />
        <Typography variant="h2" ref={heading} tabIndex={-1} sx={{ mb: 2.5, outline: 'none' }}>
          {stepNames[draft.step]}
        </Typography>
        {isLast && (
          <Box sx={{ mb: 2.5, '&:empty': { display: 'none' } }}>
            <SendWarnings isScheduling={!isNow} />
          </Box>
        )}
        <Step
          state={state}
          uploads={uploads}
          editor={editor}
          isLocked={phase !== 'writing'}
          isForecast={!isUncounted(check.query)}
          onRecipientChange={setRecipient}
          place={place}
          pasting={requirement.button}
        />
        {isLast && (
          <WhenChoice
            value={when}
            onChange={(next) => {
              clearFailure();
              check.press.stop();
              setWhen(next);
            }}
            isScheduled={scheduled !== undefined}
            isAsked={isAsked}
            disabled={phase !== 'writing'}
          />
        )}
        {isLast && (
          <CheckSection
            check={check}
            draft={draft}
            isLocked={phase !== 'writing'}
            onShow={(found) => move(stepOfPlace(found), found)}
          />
        )}
        {failure && isLast && (
          <Alert
            severity="error"
            icon={<IconError size={18} aria-hidden />}
            sx={{ mt: 2.5, overflowWrap: 'anywhere' }}
            action={
              failure.isOutdated && onReload ? (
                <Button size="small" color="inherit" onClick={onReload}>
                  Reload
                </Button>
              ) : undefined
            }
          >
            {failure.text}
          </Alert>
        )}
        <WizardButtons
          onPrevious={draft.step === 0 ? null : () => move(draft.step - 1)}
          isLocked={phase !== 'writing'}
          next={isLast ? null : { isReady: isStepComplete(draft) }}
          send={{
            isNow,
            isPending: phase === 'sending' || check.press.isWaiting,
            isOver: phase === 'sent' || phase === 'scheduled',
            reasons: phase === 'writing' ? [...waiting, ...check.toFix.map(({ text }) => text)] : [],
          }}
          test={test}
        />
      </Paper>
      {isLast && <CheckDialogs check={check} />}
      {addressFor && (
        <AddressDialog
          onSaved={() => {
            stopAsking();
            void deliver(addressFor);
          }}
          onClose={stopAsking}
        />
      )}
      {requirement.dialog}
      {test.Dialog && isLast && <test.Dialog draft={draft} recipient={recipient} onClose={test.close} />}
      <PreselectedAudience state={state} />
      <LeaveGuard
        when={phase === 'sending' || (phase === 'writing' && (isUnsaved || waiting.length > 0))}
        isSending={phase === 'sending'}
        isUploading={waiting.length > 0}
        isScheduled={scheduled !== undefined}
      />
      {saved.name === 'conflict' && (
        <ConflictDialog
          other={saved.other}
          isSending={phase === 'sending'}
          onSettle={(how) => settle(how, saved.other)}
        />
      )}
      <ConfirmDialog
        open={startingOver}
        title="Start over?"
        confirmLabel="Discard draft"
        destructive
        onConfirm={() => {
          setStartingOver(false);
          void discard().finally(onDiscarded);
        }}
        onCancel={() => setStartingOver(false)}
      >
        {`The draft${draft.subject ? ` "${draft.subject}"` : ''} is discarded. This action cannot be undone.`}
      </ConfirmDialog>
    </Page>
  );
}

/** When the email leaves: now, unless it is already scheduled. The fields propose a time. */
function useWhen(scheduled: OpenedDraft['scheduled']) {
  const { timeZone } = useCurrentUser();
  return useState<When>(() =>
    scheduled
      ? { mode: 'set', time: { at: scheduled.at, timeZone: scheduled.timeZone, later: scheduled.later } }
      : { mode: 'now', time: { at: '', timeZone, later: false } },
  );
}

/**
 * Moves the focus to the heading of a new step, unless one of its fields has taken it.
 * @param isTaken whether an element of the step takes the focus and is scrolled into view
 */
function useStepFocus(step: number, isTaken: boolean) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef(step);
  useEffect(() => {
    if (seen.current === step) return;
    seen.current = step;
    if (isTaken) return;
    if (!(document.activeElement instanceof HTMLInputElement)) heading.current?.focus();
    window.scrollTo({ top: 0 });
  }, [step, isTaken]);
  return heading;
}
