import IconButton from '@mui/material/IconButton';
import { Link } from 'react-router-dom';
import { IconArrowLeft } from './icons';

/** The back arrow before a title. */
export function BackLink({ to, label }: { to: string; label: string }) {
  return (
    <IconButton component={Link} to={to} aria-label={label}>
      <IconArrowLeft size={20} aria-hidden />
    </IconButton>
  );
}
