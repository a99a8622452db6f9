import { lazy, Suspense, useState, type ComponentType } from 'react';
import { useCurrentUser } from '../../api/session';
import { roles } from '../../lib/roles';
import { messages } from './messages';
import { hasSelectedRole } from './role-answered';
import type { RoleDialogProps } from './role-dialog';

/**
 * Fetched only for users who are asked, so that other visits do not load the forms' code. If that fails, the next visit
 * asks.
 */
const RoleDialog = lazy<ComponentType<RoleDialogProps>>(() =>
  import('./role-dialog').catch(() => ({ default: () => null })),
);

/** Asks every recruiter once in each browser, since recruiter is only the default role of a new account. */
export function RoleWelcome() {
  const user = useCurrentUser();
  const [answered, setAnswered] = useState(() => hasSelectedRole(user.id));
  const isUnset = (user.role ?? roles[0]) === roles[0];
  const isAsked = isUnset && !answered;
  // Stays mounted once it was shown, so that it can close with its transition.
  const [wasAsked, setWasAsked] = useState(isAsked);
  if (isAsked && !wasAsked) setWasAsked(true);
  if (!wasAsked) return null;
  return (
    <Suspense fallback={null}>
      <RoleDialog title={messages.welcome} open={isAsked} onClose={() => setAnswered(true)} />
    </Suspense>
  );
}
