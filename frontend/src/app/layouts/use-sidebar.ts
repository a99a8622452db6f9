import { useCallback, useEffect, useState } from 'react';
import { readCookie, writeCookie } from '../../lib/storage';

export const SIDEBAR_COOKIE = 'sidebar_state';
const COOKIE_AGE_SECONDS = 7 * 24 * 60 * 60;

/**
 * The state of the sidebar: expanded or collapsed, remembered for 7 days, and under 768 px an open or closed sheet.
 * Ctrl/Cmd+B toggles it.
 */
export function useSidebar(isNarrow: boolean) {
  const [expanded, setExpanded] = useState(() => readCookie(SIDEBAR_COOKIE) !== 'false');
  const [sheetOpen, setSheetOpen] = useState(false);
  const toggle = useCallback(() => {
    if (isNarrow) {
      setSheetOpen((open) => !open);
      return;
    }
    setExpanded(!expanded);
    writeCookie(SIDEBAR_COOKIE, String(!expanded), COOKIE_AGE_SECONDS);
  }, [isNarrow, expanded]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'b' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      toggle();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, [toggle]);
  return { expanded, sheetOpen: isNarrow && sheetOpen, closeSheet: () => setSheetOpen(false), toggle };
}
