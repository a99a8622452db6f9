import Alert from '@mui/material/Alert';
import { IconError } from '../icons';

/** Error of the last attempt, shown below a dialog's content. Renders nothing if there is no error. */
export const DialogError = ({ error }: { error?: string }) =>
  error ? (
    <Alert severity="error" icon={<IconError size={18} aria-hidden />} sx={{ mt: 2, overflowWrap: 'anywhere' }}>
      {error}
    </Alert>
  ) : null;
