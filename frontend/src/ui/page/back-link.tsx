import IconButton from '@mui/material/IconButton';
import type { MouseEvent } from 'react';
import { Link, useLocation, useNavigate, type LinkProps } from 'react-router-dom';
import { OPENED_FROM_STATE, openedFrom } from '../../lib/use-address';
import { IconArrowLeft } from '../icons';

/** A link from a row or a card of a screen. Stores the screen in the new history entry, for BackLink. */
export function OpeningLink(props: Omit<LinkProps, 'state'>) {
  const { pathname } = useLocation();
  return <Link {...props} state={{ [OPENED_FROM_STATE]: { path: pathname, steps: 1 } }} />;
}

/**
 * The arrow before a title. If the screen was opened from the screen that the link leads to, the arrow goes back in the
 * history, so that the search and the page of that screen are kept.
 */
export function BackLink({ to, label }: { to: string; label: string }) {
  const { state } = useLocation();
  const navigate = useNavigate();
  const from = openedFrom(state);
  const isBack = from !== null && from.path === to.split('?')[0];
  const goBack = (event: MouseEvent) => {
    const isPlain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!isBack || !isPlain) return;
    event.preventDefault();
    void navigate(-from.steps);
  };
  return (
    <IconButton component={Link} to={to} aria-label={label} onClick={goBack}>
      <IconArrowLeft size={20} aria-hidden />
    </IconButton>
  );
}
