import Alert from '@mui/material/Alert';
import Button from '@mui/material/Button';
import { IconError, IconRetry } from './icons';

/** A part of the screen that could not be loaded: what happened, and Retry. */
export function SectionError({ message, onRetry, pending }: { message: string; onRetry: () => void; pending?: boolean }) {
  return (
    <Alert
      severity="error"
      icon={<IconError size={18} aria-hidden />}
      action={
        <Button size="small" color="inherit" onClick={onRetry} loading={pending} loadingPosition="start" startIcon={<IconRetry size={14} aria-hidden />}>
          Retry
        </Button>
      }
    >
      {message}
    </Alert>
  );
}
