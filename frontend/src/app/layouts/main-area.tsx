import Box from '@mui/material/Box';
import Link from '@mui/material/Link';
import type { SxProps, Theme } from '@mui/material/styles';
import { useEffect, useRef, type ReactNode } from 'react';

export const MAIN_ID = 'main';

/** The main landmark around every screen. It receives the focus after a navigation. */
export function MainArea({ children, sx }: { children: ReactNode; sx?: SxProps<Theme> }) {
  return (
    <Box component="main" id={MAIN_ID} tabIndex={-1} sx={sx}>
      {children}
    </Box>
  );
}

/** Skips the navigation, for keyboard users. */
export function SkipLink() {
  return (
    <Link
      href={`#${MAIN_ID}`}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById(MAIN_ID)?.focus();
      }}
      sx={{
        position: 'fixed',
        top: 8,
        left: 8,
        zIndex: 'tooltip',
        px: 2,
        py: 1,
        bgcolor: 'surface.raised',
        borderRadius: 2,
        transform: 'translateY(-200%)',
        '&:focus': { transform: 'none' },
      }}
    >
      Skip to content
    </Link>
  );
}

/** Moves the focus to the new screen when the URL changes, unless the screen has taken the focus. */
export function useFocusOnNavigation(pathname: string): void {
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
