import TextField from '@mui/material/TextField';
import { useUnsavedInput, type LeaveQuestion } from '../../../lib/unsaved-changes';
import { ConfirmDialog } from '../../../ui/dialog/confirm-dialog';
import { GuardedDialog } from '../../../ui/dialog/guarded-dialog';
import { useToast } from '../../../ui/toast/toast';
import type { Draft, DraftChange } from '../draft';
import { requirementMessages as texts } from './messages';
import { ReadingForm } from './reading-form';
import { RequirementForm } from './requirement-form';
import { useRequirement, type RequirementQuestion, type RequirementState } from './use-requirement';

export interface RequirementDialogProps {
  /** Whether the dialog is open. While it is closed, the pasted text and its result are kept. */
  open: boolean;
  /** Returns the current draft. */
  current: () => Draft;
  /** Puts the job post into the draft. */
  onUse: (change: DraftChange) => void;
  /** @param isOver true if the pasted text was used or discarded. The dialog then starts empty when it opens again. */
  onClose: (isOver: boolean) => void;
}

const discardReadingQuestion: LeaveQuestion = {
  title: 'Discard what was read?',
  text: 'Your corrections are lost.',
  confirmLabel: 'Discard',
  cancelLabel: 'Cancel',
};

/** Reads a vendor's requirement from a mail, and makes a job post from it. */
export function RequirementDialog({ open, current, onUse, onClose }: RequirementDialogProps) {
  const toast = useToast();
  const state = useRequirement({
    current,
    onUse: (change) => {
      onUse(change);
      onClose(true);
      toast({ title: texts.used, variant: 'success' });
    },
  });
  const { reading, entry } = state;
  useUnsavedInput(open && state.text.trim() !== '' && !state.isEdited, { question: leaveQuestion });
  return (
    <>
      <GuardedDialog
        title={texts.title}
        open={open}
        maxWidth={reading ? 'lg' : 'sm'}
        fillsPhone
        question={discardReadingQuestion}
        onClose={() => onClose(state.isEdited)}
      >
        {reading && entry ? <ReadingForm state={state} reading={reading} entry={entry} /> : <PasteForm state={state} />}
      </GuardedDialog>
      <Questions state={state} />
    </>
  );
}

const leaveQuestion: LeaveQuestion = {
  title: 'Discard what you pasted?',
  text: 'The text is not in your email yet.',
  confirmLabel: 'Discard',
  cancelLabel: 'Cancel',
};

/** The field for the pasted text. */
function PasteForm({ state }: { state: RequirementState }) {
  const { text, setText, isTooLong, isBusy, failure, read } = state;
  return (
    <RequirementForm
      onSubmit={() => void read()}
      submitLabel="Read it"
      disabled={text.trim() === '' || isTooLong}
      isBusy={isBusy}
      isEdited={false}
      failure={failure}
      sx={{ pt: 2.5 }}
    >
      <TextField
        id="requirement-text"
        label={texts.label}
        multiline
        minRows={12}
        maxRows={20}
        value={text}
        onChange={(event) => setText(event.target.value)}
        disabled={isBusy}
        error={isTooLong}
        helperText={isTooLong ? texts.tooLong : ' '}
        autoFocus
      />
    </RequirementForm>
  );
}

/** Asks before a text, a subject or corrections are replaced. */
function Questions({ state }: { state: RequirementState }) {
  const { question, isAsking, stopAsking, replaceContent, fill, discardReading } = state;
  const shown = questionTexts(question);
  return (
    <ConfirmDialog
      open={isAsking}
      title={shown?.title ?? ''}
      confirmLabel={shown?.confirmLabel ?? ''}
      cancelLabel={shown?.cancelLabel}
      destructive={question?.about === 'text'}
      onConfirm={() => {
        if (question?.about === 'text') discardReading();
        else if (question?.about === 'content') replaceContent(question.post);
        else if (question) fill(question.post, true);
      }}
      onCancel={() => (question?.about === 'subject' ? fill(question.post, false) : stopAsking())}
    >
      {shown?.text ?? ''}
    </ConfirmDialog>
  );
}

function questionTexts(question: RequirementQuestion | null): LeaveQuestion | null {
  if (!question) return null;
  if (question.about === 'text') return discardReadingQuestion;
  const replacing = { title: 'Replace what you typed?', confirmLabel: 'Replace' };
  return question.about === 'content'
    ? {
        ...replacing,
        text: 'The job post takes the place of the text in the content field.',
        cancelLabel: 'Keep my text',
      }
    : {
        ...replacing,
        text: `"${question.post.subject}" takes the place of your subject.`,
        cancelLabel: 'Keep my subject',
      };
}
