import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { SubmitButton } from '../form/submit-button';
import { IconError } from '../icons';
import { GuardedDialog, useDialogInput } from './guarded-dialog';

/**
 * Style for elements between a dialog and its content, so that the content scrolls and title and buttons stay visible.
 */
export const scrollsWithin = { display: 'flex', flexDirection: 'column', flex: '1 1 auto', minHeight: 0 } as const;

interface FormState {
  pending: boolean;
  /** Whether something was typed, so that closing the dialog asks first. */
  isDirty: boolean;
  /** Why the last attempt failed. */
  error?: string;
}

/** The state of a form that its dialog needs. */
export const dialogState = <Values extends FieldValues>({ formState }: UseFormReturn<Values>): FormState => ({
  pending: formState.isSubmitting,
  isDirty: formState.isDirty,
  error: formState.errors.root?.server?.message,
});

interface DialogFormProps extends FormState {
  onSubmit: (event: BaseSyntheticEvent) => void;
  submitLabel: string;
  closeLabel?: string;
  disabled?: boolean;
  destructive?: boolean;
  /** Whether the focus starts on Cancel, for actions that cannot be undone. */
  focusClose?: boolean;
  /** Whether the action is done and its result is shown, so that there is nothing to cancel any more. */
  isOver?: boolean;
  /** Adds space above the fields, for a dialog with a line over them. */
  roomy?: boolean;
  /** A second submit button, between Cancel and Submit. */
  also?: ReactNode;
  /** Shown beside the buttons, such as the number of lines to submit. */
  note?: ReactNode;
  children: ReactNode;
}

/** A form in a GuardedDialog: its fields, the error, Cancel and Submit. */
export function DialogForm(props: DialogFormProps) {
  const {
    onSubmit,
    submitLabel,
    closeLabel = 'Cancel',
    pending,
    isDirty,
    error,
    disabled,
    destructive,
    focusClose,
    isOver,
    roomy,
    also,
    note,
    children,
  } = props;
  const requestClose = useDialogInput(isDirty, pending);
  return (
    <Box component="form" onSubmit={onSubmit} noValidate sx={scrollsWithin}>
      <DialogContent sx={roomy ? { pt: 2.5 } : undefined}>
        <Stack sx={{ gap: 1.25 }}>{children}</Stack>
      </DialogContent>
      {error && (
        <Alert
          severity="error"
          icon={<IconError size={18} aria-hidden />}
          sx={{ mx: 3, mt: 1, flexShrink: 0, overflowWrap: 'anywhere' }}
        >
          {error}
        </Alert>
      )}
      <DialogActions>
        {note}
        {!isOver && (
          <Button variant="outlined" color="inherit" disabled={pending} onClick={requestClose} autoFocus={focusClose}>
            {closeLabel}
          </Button>
        )}
        {also}
        <SubmitButton pending={pending} disabled={disabled} color={destructive ? 'error' : 'primary'}>
          {submitLabel}
        </SubmitButton>
      </DialogActions>
    </Box>
  );
}

interface FormDialogProps extends DialogFormProps {
  title: string;
  maxWidth?: DialogProps['maxWidth'];
  onClose: () => void;
}

/** A dialog that consists of one form. */
export function FormDialog({ title, maxWidth, onClose, ...form }: FormDialogProps) {
  return (
    <GuardedDialog title={title} maxWidth={maxWidth} onClose={onClose}>
      <DialogForm {...form} />
    </GuardedDialog>
  );
}
