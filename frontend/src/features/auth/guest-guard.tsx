import type { ReactNode } from 'react';
import { useSession } from '../../api/session';
import { Redirect, useNavigation, useSearch } from '../../lib/navigation';
import { routes, safeNext } from '../../lib/routes';

/** Around login and registration: a signed-in user, or one who has just signed in, is redirected. */
export function GuestGuard({ children }: { children: ReactNode }) {
  const { user, isLoading } = useSession();
  const { pathname } = useNavigation();
  const next = useSearch().get('next');
  if (user) return <Redirect to={pathname === routes.register.path ? routes.dashboard.path : safeNext(next)} />;
  return isLoading ? null : children;
}
