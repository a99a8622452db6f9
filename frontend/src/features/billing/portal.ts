import { useEffect } from 'react';
import { client } from '../../api/client';
import { browser } from '../../lib/browser';
import { useToast } from '../../ui/toast/toast';
import { useRefreshPlan } from './api';
import { messages } from './messages';

const PORTAL_VISIT_KEY = 'billing_portal';
/** Changes made in the portal arrive by webhook, sometimes a moment after the person is back. */
const REFRESH_AFTER_MS = [0, 3_000, 9_000];

/** Remembers in this tab that the portal was opened. */
function notePortalVisit(): void {
  try {
    sessionStorage.setItem(PORTAL_VISIT_KEY, '1');
  } catch {
    // Storage is blocked. After the return, the screen shows the plan as it was last loaded.
  }
}

function takePortalVisit(): boolean {
  try {
    const found = sessionStorage.getItem(PORTAL_VISIT_KEY) !== null;
    sessionStorage.removeItem(PORTAL_VISIT_KEY);
    return found;
  } catch {
    return false;
  }
}

/** After a return from the portal, by its link or the browser's Back, loads the plan a few times. */
export function usePortalReturn(): void {
  const refresh = useRefreshPlan();
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = [];
    const onReturn = () => {
      if (!takePortalVisit()) return;
      timers = REFRESH_AFTER_MS.map((delay) => setTimeout(refresh, delay));
    };
    onReturn();
    window.addEventListener('pageshow', onReturn);
    return () => {
      timers.forEach(clearTimeout);
      window.removeEventListener('pageshow', onReturn);
    };
  }, [refresh]);
}

/** Opens the provider's portal for cards, invoices and plan changes. */
export function usePortal(): [open: () => Promise<void>, isOpening: boolean] {
  const [open, { isLoading }] = client.useCreatePortalSessionMutation();
  const toast = useToast();
  const go = async () => {
    try {
      const { url } = await open().unwrap();
      notePortalVisit();
      browser.redirectTo(url);
    } catch {
      toast({ title: messages.error, description: messages.portalFailed, variant: 'destructive' });
    }
  };
  return [go, isLoading];
}
