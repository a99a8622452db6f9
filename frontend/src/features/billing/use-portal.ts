import { browser } from '../../lib/browser';
import { useToast } from '../../ui/toast';
import { useOpenPortal } from './api';
import { messages } from './messages';
import { notePortalVisit } from './portal-visit';

/** Leads to the provider's own pages: card, invoices, change of plan. */
export function usePortal(): [open: () => Promise<void>, isOpening: boolean] {
  const [open, isOpening] = useOpenPortal();
  const toast = useToast();
  const go = async () => {
    try {
      const { url } = await open();
      notePortalVisit();
      browser.leave(url);
    } catch {
      toast({ title: messages.error, description: messages.portalFailed, variant: 'destructive' });
    }
  };
  return [go, isOpening];
}
