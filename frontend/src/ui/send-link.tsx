import Button from '@mui/material/Button';
import { Link as RouterLink } from 'react-router-dom';
import { routes } from '../lib/routes';
import { IconSend } from './icons';

/** Begins a new send. */
export function SendLink({ label = 'Send Email' }: { label?: string }) {
  return (
    <Button
      component={RouterLink}
      to={routes.send.path}
      variant="contained"
      startIcon={<IconSend size={16} aria-hidden />}
    >
      {label}
    </Button>
  );
}
