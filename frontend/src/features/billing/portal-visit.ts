import { useEffect } from 'react';
import { useRefreshPlan } from './api';

const KEY = 'billing_portal';
/** What was done there arrives by webhook, at times a moment after the person. */
const LOOKS_MS = [0, 3_000, 9_000];

/** Leaves a note that whoever comes back comes from the portal. */
export function notePortalVisit(): void {
  try {
    sessionStorage.setItem(KEY, '1');
  } catch {
    // Without the note the screen shows what was stored last.
  }
}

function takeNote(): boolean {
  try {
    const found = sessionStorage.getItem(KEY) !== null;
    sessionStorage.removeItem(KEY);
    return found;
  } catch {
    return false;
  }
}

/** Back from the portal, by its link or the browser's Back: looks again, a few times. */
export function usePortalReturn(): void {
  const refresh = useRefreshPlan();
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = [];
    const look = () => {
      if (!takeNote()) return;
      timers = LOOKS_MS.map((pause) => setTimeout(refresh, pause));
    };
    look();
    window.addEventListener('pageshow', look);
    return () => {
      timers.forEach(clearTimeout);
      window.removeEventListener('pageshow', look);
    };
  }, [refresh]);
}
