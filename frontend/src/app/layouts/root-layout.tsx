import Box from '@mui/material/Box';
import LinearProgress from '@mui/material/LinearProgress';
import { useEffect, useMemo, useState, type ReactNode } from 'react';
import { Link, Outlet, ScrollRestoration, useBlocker, useLocation, useNavigate, useNavigation } from 'react-router-dom';
import { NavigationProvider, type Navigation } from '../../lib/navigation';
import { DISCARD_QUESTION, unsavedInputs, useReloadQuestion } from '../../lib/unsaved-changes';
import { ConfirmDialog } from '../../ui/dialog/confirm-dialog';
import { prefetchOnIntent } from '../screens';
import { SkipLink, useFocusOnNavigation } from './main-area';
import { useFocusRestore } from './use-focus-restore';

/** Root route: skip link, focus on navigation, unsaved-changes dialog, scroll restoration. */
export function RootLayout() {
  useFocusOnNavigation(useLocation().pathname);
  useFocusRestore();
  useEffect(prefetchOnIntent, []);
  return (
    <RouterNavigation>
      <SkipLink />
      <NavigationProgress />
      <Outlet />
      <UnsavedChangesDialog />
      <ScrollRestoration />
    </RouterNavigation>
  );
}

/** A bar at the top while the next screen's code loads, shown after 120 ms. */
function NavigationProgress() {
  if (useNavigation().state === 'idle') return null;
  return (
    <Box
      sx={{
        position: 'fixed',
        insetInline: 0,
        top: 0,
        zIndex: 'tooltip',
        opacity: 0,
        animation: 'sc-appear 120ms 120ms forwards',
        '@keyframes sc-appear': { to: { opacity: 1 } },
      }}
    >
      <LinearProgress aria-label="Loading the next screen" sx={{ height: 3 }} />
    </Box>
  );
}

/** Asks before a navigation or a reload loses unsaved input. Rendered once, since the router allows only one blocker. */
function UnsavedChangesDialog() {
  const [question, setQuestion] = useState(DISCARD_QUESTION);
  const blocker = useBlocker(({ currentLocation, nextLocation, historyAction }) => {
    const lost = unsavedInputs.lostBy(currentLocation, nextLocation, historyAction);
    if (lost) setQuestion(lost.question);
    return lost !== undefined;
  });
  useReloadQuestion();
  return (
    <ConfirmDialog
      open={blocker.state === 'blocked'}
      title={question.title}
      confirmLabel={question.confirmLabel}
      cancelLabel={question.cancelLabel}
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      {question.text}
    </ConfirmDialog>
  );
}

/** Lets public screens, which do not import the router, navigate by it. */
export function RouterNavigation({ children }: { children: ReactNode }) {
  const { pathname, search } = useLocation();
  const navigate = useNavigate();
  const navigation = useMemo<Navigation>(
    () => ({ pathname, search, go: (to, options) => void navigate(to, options), Link }),
    [pathname, search, navigate],
  );
  return <NavigationProvider value={navigation}>{children}</NavigationProvider>;
}
