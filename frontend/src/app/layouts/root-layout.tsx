import Link from '@mui/material/Link';
import { useEffect, useRef } from 'react';
import { Outlet, ScrollRestoration, useLocation } from 'react-router-dom';
import { MAIN_ID } from './main-area';
import { prefetchOnIntent } from '../screens';
import { NavigationProgress } from './navigation-progress';
import { UnsavedInputGuard } from './unsaved-input-guard';
import { useKeptFocus } from './use-kept-focus';

/** Moves focus to the new screen when the address changes, unless the screen took it itself. */
function useFocusOnNavigation() {
  const { pathname } = useLocation();
  const seen = useRef(pathname);
  useEffect(() => {
    if (seen.current === pathname) return;
    seen.current = pathname;
    const frame = requestAnimationFrame(() => {
      const main = document.getElementById(MAIN_ID);
      if (main && !main.contains(document.activeElement)) main.focus({ preventScroll: true });
    });
    return () => cancelAnimationFrame(frame);
  }, [pathname]);
}

/** Around every screen: the way past the navigation, focus and scroll. */
export function RootLayout() {
  useFocusOnNavigation();
  useKeptFocus();
  useEffect(prefetchOnIntent, []);
  return (
    <>
      <Link
        href={`#${MAIN_ID}`}
        onClick={(event) => {
          event.preventDefault();
          document.getElementById(MAIN_ID)?.focus();
        }}
        sx={{
          position: 'fixed', top: 8, left: 8, zIndex: 'tooltip', px: 2, py: 1, bgcolor: 'surface.raised', borderRadius: 2,
          transform: 'translateY(-200%)', '&:focus': { transform: 'none' },
        }}
      >
        Skip to content
      </Link>
      <NavigationProgress />
      <Outlet />
      <UnsavedInputGuard />
      <ScrollRestoration />
    </>
  );
}
