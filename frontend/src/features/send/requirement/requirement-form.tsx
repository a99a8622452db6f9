import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import type { SxProps, Theme } from '@mui/material/styles';
import type { FormEvent, ReactNode } from 'react';
import { scrollsWithin } from '../../../ui/dialog/dialog-form';
import { useDialogInput } from '../../../ui/dialog/guarded-dialog';
import { SubmitButton } from '../../../ui/form/submit-button';
import { SectionError } from '../../../ui/loading/section-error';

interface RequirementFormProps {
  onSubmit: () => void;
  submitLabel: string;
  disabled: boolean;
  isBusy: boolean;
  /** Whether closing the dialog asks for confirmation. */
  isEdited: boolean;
  /** Why the last attempt failed. */
  failure: string | null;
  sx?: SxProps<Theme>;
  children: ReactNode;
}

/** One stage of the dialog: its content, the error with Retry, and the buttons. */
export function RequirementForm(props: RequirementFormProps) {
  const { onSubmit, submitLabel, disabled, isBusy, isEdited, failure, sx, children } = props;
  const requestClose = useDialogInput(isEdited, isBusy);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!disabled && !isBusy) onSubmit();
  };
  return (
    <Box component="form" onSubmit={submit} noValidate sx={scrollsWithin}>
      <DialogContent sx={sx}>{children}</DialogContent>
      {failure && (
        <Box sx={{ mx: 3, mt: 1, flexShrink: 0, overflowWrap: 'anywhere' }}>
          <SectionError message={failure} pending={isBusy} onRetry={onSubmit} />
        </Box>
      )}
      <DialogActions>
        <Button variant="outlined" color="inherit" disabled={isBusy} onClick={requestClose}>
          Cancel
        </Button>
        <SubmitButton pending={isBusy} disabled={disabled}>
          {submitLabel}
        </SubmitButton>
      </DialogActions>
    </Box>
  );
}
