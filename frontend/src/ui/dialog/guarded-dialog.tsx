import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogTitle from '@mui/material/DialogTitle';
import useMediaQuery from '@mui/material/useMediaQuery';
import type { Theme } from '@mui/material/styles';
import { createContext, useContext, useEffect, useId, useState, type ReactNode } from 'react';
import { DISCARD_QUESTION, isLostWithDialog, useUnsavedInput, type LeaveQuestion } from '../../lib/unsaved-changes';
import { ConfirmDialog } from './confirm-dialog';

interface InputState {
  isDirty: boolean;
  /** Whether the request is running; closing the dialog would hide its result. */
  isPending: boolean;
}

interface DialogGuard {
  inputs: Map<string, InputState>;
  requestClose: () => void;
  question: LeaveQuestion;
}

const GuardContext = createContext<DialogGuard | null>(null);

interface GuardedDialogProps {
  title: ReactNode;
  open?: boolean;
  onClose: () => void;
  maxWidth?: DialogProps['maxWidth'];
  role?: 'dialog' | 'alertdialog';
  /** Whether the dialog fills the screen of a phone. */
  fillsPhone?: boolean;
  /** Id of the text that describes the dialog. */
  describedBy?: string;
  /** The question that is asked before input is lost. */
  question?: LeaveQuestion;
  children: ReactNode;
}

/**
 * A dialog with input. Escape, Cancel and a click outside ask before typed input is lost. They do nothing while a
 * request is running.
 */
export function GuardedDialog({
  title,
  open = true,
  onClose,
  maxWidth = 'xs',
  role = 'dialog',
  fillsPhone = false,
  describedBy,
  question = DISCARD_QUESTION,
  children,
}: GuardedDialogProps) {
  const isPhone = useMediaQuery((theme: Theme) => theme.breakpoints.down('sm'));
  const id = useId();
  const [inputs] = useState(() => new Map<string, InputState>());
  const [isAsking, setAsking] = useState(false);
  const requestClose = () => {
    const states = [...inputs.values()];
    if (states.some(({ isPending }) => isPending)) return;
    if (states.some(({ isDirty }) => isDirty)) setAsking(true);
    else onClose();
  };
  return (
    <GuardContext value={{ inputs, requestClose, question }}>
      <Dialog
        open={open}
        onClose={requestClose}
        maxWidth={maxWidth}
        fullWidth
        fullScreen={fillsPhone && isPhone}
        aria-labelledby={id}
        aria-describedby={describedBy}
        slotProps={{ paper: { role } }}
      >
        <DialogTitle id={id} sx={{ overflowWrap: 'anywhere' }}>
          {title}
        </DialogTitle>
        {children}
      </Dialog>
      <ConfirmDialog
        open={isAsking}
        title={question.title}
        confirmLabel={question.confirmLabel}
        cancelLabel={question.cancelLabel}
        destructive
        onConfirm={() => {
          setAsking(false);
          onClose();
        }}
        onCancel={() => setAsking(false)}
      >
        {question.text}
      </ConfirmDialog>
    </GuardContext>
  );
}

/** Registers a form's state with the dialog around it. @returns closes the dialog, after asking if input would be lost */
export function useDialogInput(isDirty: boolean, isPending: boolean): () => void {
  const guard = useContext(GuardContext);
  if (!guard) throw new Error('useDialogInput is for forms in a GuardedDialog');
  const { inputs, requestClose, question } = guard;
  const id = useId();
  useEffect(() => {
    inputs.set(id, { isDirty, isPending });
    return () => void inputs.delete(id);
  }, [inputs, id, isDirty, isPending]);
  useUnsavedInput(isDirty, { question, isLostBy: isLostWithDialog });
  return requestClose;
}
