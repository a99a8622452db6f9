import Box from '@mui/material/Box';
import Button from '@mui/material/Button';
import Dialog, { type DialogProps } from '@mui/material/Dialog';
import DialogActions from '@mui/material/DialogActions';
import DialogContent from '@mui/material/DialogContent';
import DialogTitle from '@mui/material/DialogTitle';
import Stack from '@mui/material/Stack';
import { useId, type BaseSyntheticEvent, type ReactNode } from 'react';
import { SubmitButton } from '../submit-button';

/** Between a dialog and its content: the content scrolls, title and buttons stay. */
export const scrollsWithin = { display: 'flex', flexDirection: 'column', flex: '1 1 auto', minHeight: 0 } as const;

interface DialogFormProps {
  onSubmit: (event: BaseSyntheticEvent) => void;
  onClose: () => void;
  submitLabel: string;
  closeLabel?: string;
  pending: boolean;
  disabled?: boolean;
  /** Room above the fields: there is a line over them. */
  roomy?: boolean;
  children: ReactNode;
}

/** A form within a dialog: its fields, the way out and the way on. */
export function DialogForm({ onSubmit, onClose, submitLabel, closeLabel = 'Cancel', pending, disabled, roomy, children }: DialogFormProps) {
  return (
    <Box component="form" onSubmit={onSubmit} noValidate sx={scrollsWithin}>
      <DialogContent sx={roomy ? { pt: 2.5 } : undefined}>
        <Stack sx={{ gap: 1.25 }}>{children}</Stack>
      </DialogContent>
      <DialogActions>
        <Button variant="outlined" color="inherit" onClick={onClose}>
          {closeLabel}
        </Button>
        <SubmitButton pending={pending} disabled={disabled}>
          {submitLabel}
        </SubmitButton>
      </DialogActions>
    </Box>
  );
}

/** A dialog that is one form. */
export function FormDialog({ title, maxWidth = 'xs', ...form }: DialogFormProps & { title: string; maxWidth?: DialogProps['maxWidth'] }) {
  const id = useId();
  return (
    <Dialog open onClose={form.onClose} maxWidth={maxWidth} fullWidth aria-labelledby={id}>
      <DialogTitle id={id}>{title}</DialogTitle>
      <DialogForm {...form} />
    </Dialog>
  );
}
