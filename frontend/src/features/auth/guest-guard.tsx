import type { ReactNode } from 'react';
import { useSession } from '../../api/session';
import { Redirect, useNavigation, useSearch } from '../../lib/navigation';
import { routes, safeNext } from '../../lib/routes';

/** Wraps login and registration. Redirects a user who is signed in or has just signed in. */
export function GuestGuard({ children }: { children: ReactNode }) {
  const { user, isLoading } = useSession();
  const { pathname } = useNavigation();
  const next = useSearch().get('next');
  if (user) return <Redirect to={pathname === routes.register.path ? routes.dashboard.path : safeNext(next)} />;
  return isLoading ? null : children;
}
