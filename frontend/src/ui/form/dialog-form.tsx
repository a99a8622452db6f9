import Alert from '@mui/material/Alert';
import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import type { DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import Stack from '@mui/material/Stack';
import type { BaseSyntheticEvent, ReactNode } from 'react';
import type { FieldValues, UseFormReturn } from 'react-hook-form';
import { GuardedDialog, useDialogInput } from '../dialog/guarded-dialog';
import { IconError } from '../icons';
import { SubmitButton } from '../submit-button';

/** Between a dialog and its content: the content scrolls, title and buttons stay. */
export const scrollsWithin = { display: 'flex', flexDirection: 'column', flex: '1 1 auto', minHeight: 0 } as const;

interface FormState {
  pending: boolean;
  /** Something was typed: closing the dialog asks first. */
  isDirty: boolean;
  /** Why the last try failed. */
  error?: string;
}

/** What a dialog needs to know of a form. */
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
  /** Focus starts on the way out: what is submitted cannot be taken back. */
  focusClose?: boolean;
  /** Room above the fields: there is a line over them. */
  roomy?: boolean;
  /** Beside the buttons: how much is about to be submitted. */
  note?: ReactNode;
  children: ReactNode;
}

/** A form within a GuardedDialog: its fields, why it failed, Cancel and Submit. */
export function DialogForm(props: DialogFormProps) {
  const { onSubmit, submitLabel, closeLabel = 'Cancel', pending, isDirty, error, disabled, destructive, focusClose, roomy, note, children } = props;
  const requestClose = useDialogInput(isDirty, pending);
  return (
    <Box component="form" onSubmit={onSubmit} noValidate sx={scrollsWithin}>
      <DialogContent sx={roomy ? { pt: 2.5 } : undefined}>
        <Stack sx={{ gap: 1.25 }}>{children}</Stack>
      </DialogContent>
      {error && (
        <Alert severity="error" icon={<IconError size={18} aria-hidden />} sx={{ mx: 3, mt: 1, flexShrink: 0, overflowWrap: 'anywhere' }}>
          {error}
        </Alert>
      )}
      <DialogActions>
        {note}
        <Button variant="outlined" color="inherit" disabled={pending} onClick={requestClose} autoFocus={focusClose}>
          {closeLabel}
        </Button>
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

/** A dialog that is one form. */
export function FormDialog({ title, maxWidth, onClose, ...form }: FormDialogProps) {
  return (
    <GuardedDialog title={title} maxWidth={maxWidth} onClose={onClose}>
      <DialogForm {...form} />
    </GuardedDialog>
  );
}
