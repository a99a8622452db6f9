import { useEffect } from 'react';
import { browser } from '../../lib/browser';
import { routes } from '../../lib/routes';
import type { StripeConfig } from './api';

/**
 * Whether this document may load Stripe's script. Its policy is that of the page it was loaded as, and only the
 * upgrade page's names Stripe's hosts: coming from another screen, the page is loaded once more.
 */
export function useOwnDocument(mode: StripeConfig['mode'] | undefined): boolean {
  const path = browser.loadedPath()?.replace(/\/$/, '');
  const isForeign = (mode === 'live' || mode === 'test') && path !== undefined && path !== routes.upgrade.path;
  useEffect(() => {
    if (isForeign) browser.reload();
  }, [isForeign]);
  return !isForeign;
}
