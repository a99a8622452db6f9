import { lazy, Suspense } from 'react';
import { Navigate, Outlet, useLocation, useSearchParams } from 'react-router-dom';
import { useHasLoggedOut, useSession } from '../api/session';
import { loginPath, routes, safeNext } from '../lib/routes';
import { SignedInLayout } from './layouts/signed-in-layout';
import { Splash, SplashError } from './layouts/splash';

const SignInRequired = lazy(() => import('./routes/public/sign-in-required'));
const Landing = lazy(() => import('./routes/public/landing'));

/** Signed-in screens: signed out, / is the landing page, /subscribe says so, and all else leads to /login and back. */
export function SignedInGuard() {
  const { user, error, isFetching, refetch } = useSession();
  const hasLoggedOut = useHasLoggedOut();
  const { pathname, search, hash } = useLocation();
  if (user) return <SignedInLayout />;
  if (error && !isFetching) return <SplashError onRetry={() => void refetch()} />;
  if (user === undefined || isFetching) return <Splash />;
  if (pathname === routes.home.path) {
    return (
      <Suspense fallback={<Splash />}>
        <Landing />
      </Suspense>
    );
  }
  if (pathname === routes.upgrade.path && !hasLoggedOut) {
    return (
      <Suspense fallback={<Splash />}>
        <SignInRequired />
      </Suspense>
    );
  }
  return <Navigate to={hasLoggedOut ? routes.login.path : loginPath(pathname + search + hash)} replace />;
}

/** Login and registration: whoever is signed in already, or just became so, goes on. */
export function GuestGuard() {
  const { user, isLoading } = useSession();
  const [params] = useSearchParams();
  const { pathname } = useLocation();
  if (user) return <Navigate to={pathname === routes.register.path ? routes.dashboard.path : safeNext(params.get('next'))} replace />;
  return isLoading ? null : <Outlet />;
}
