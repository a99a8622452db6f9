import Box from '@mui/material/Box';
import Stack from '@mui/material/Stack';
import { lazy, Suspense, useDeferredValue } from 'react';
import { Navigate, Outlet, useLocation } from 'react-router-dom';
import { useCurrentUser, useHasLoggedOut, useSession } from '../api/session';
import { SessionEndedDialog } from '../features/auth/session-ended-dialog';
import { useNavigation } from '../lib/navigation';
import { loginPath, routes } from '../lib/routes';
import { SectionError } from '../ui/loading/section-error';
import { NotFound } from '../ui/page/not-found';
import { useToast } from '../ui/toast/toast';
import { PublicLayout } from './layouts/public-layout';
import { SignedInLayout } from './layouts/signed-in-layout';
import { Splash } from './layouts/splash';

const SignInRequired = lazy(async () => ({
  default: (await import('../features/billing/sign-in-required')).SignInRequired,
}));
const Landing = lazy(async () => ({ default: (await import('../features/landing/landing')).Landing }));
const NetworkForm = lazy(async () => ({ default: (await import('../features/subscribe/network-form')).NetworkForm }));

/**
 * Wraps the signed-in screens. For a signed-out visitor, / is the landing page, /subscribe asks to sign in, and any
 * other URL leads to /login and back.
 */
export function SignedInGuard() {
  const { user, error, isFetching, refetch } = useSession();
  const hasLoggedOut = useHasLoggedOut();
  const { pathname, search, hash } = useLocation();
  // Deferred, so that the first screen is rendered in short tasks and a slow phone stays responsive between them.
  const isSignedIn = useDeferredValue(Boolean(user));
  if (user && !isSignedIn) return <Splash />;
  if (user) {
    return (
      <>
        <SignedInLayout />
        <SessionEndedDialog />
      </>
    );
  }
  if (error && !isFetching) return <Unreachable onRetry={() => void refetch()} />;
  if (user === undefined || isFetching) return <Splash />;
  if (pathname === routes.home.path) return <LandingScreen />;
  if (pathname === routes.upgrade.path && !hasLoggedOut) {
    return (
      <Suspense fallback={<Splash />}>
        <PublicLayout>
          <SignInRequired />
        </PublicLayout>
      </Suspense>
    );
  }
  return <Navigate to={hasLoggedOut ? routes.login.path : loginPath(pathname + search + hash)} replace />;
}

/** Wraps the screens for admins. Other users are redirected to the dashboard; the API refuses their calls anyway. */
export function AdminGuard() {
  return useCurrentUser().isAdmin ? <Outlet /> : <Navigate to={routes.dashboard.path} replace />;
}

/** The landing page within the application: after logging out, or when the brand's link is followed. */
function LandingScreen() {
  const toast = useToast();
  const { go } = useNavigation();
  return (
    <Suspense fallback={<Splash />}>
      <Landing
        subscribe={
          <NetworkForm
            onSubscribed={(accepted) => {
              toast(accepted);
              go(routes.subscribePending.path);
            }}
            onRefused={toast}
          />
        }
      />
    </Suspense>
  );
}

/** Shown if the server did not answer who is signed in. */
function Unreachable({ onRetry }: { onRetry: () => void }) {
  return (
    <Stack component="main" sx={{ minHeight: '100dvh', alignItems: 'center', justifyContent: 'center', p: 2 }}>
      <Box sx={{ maxWidth: 460, width: '100%' }}>
        <SectionError
          message="Staffcast could not be reached. Check your connection and try again."
          onRetry={onRetry}
        />
      </Box>
    </Stack>
  );
}

/** Shown at a URL without a screen, in the layout that the visitor knows. */
export function UnknownAddress() {
  const { user, isLoading } = useSession();
  if (isLoading) return null;
  const Layout = user ? SignedInLayout : PublicLayout;
  return (
    <Layout>
      <NotFound signedIn={Boolean(user)} />
    </Layout>
  );
}
