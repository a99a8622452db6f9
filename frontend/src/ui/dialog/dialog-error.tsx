import Alert from '@mui/material/Alert';
import { IconError } from '../icons';

/** Why the last attempt of a dialog failed, below its content; nothing without a reason. */
export const DialogError = ({ error }: { error?: string }) =>
  error ? (
    <Alert severity="error" icon={<IconError size={18} aria-hidden />} sx={{ mt: 2, overflowWrap: 'anywhere' }}>
      {error}
    </Alert>
  ) : null;
