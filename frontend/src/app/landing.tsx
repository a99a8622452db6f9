import { startTransition } from 'react';
import { createRoot, hydrateRoot, type Root } from 'react-dom/client';
import { routes } from '../lib/routes';
import type { Toast } from '../ui/toast/toast';
import { LandingPage } from './landing-page';

/** Shows the landing page by itself. The application is fetched only when the visitor opens it. */
export function showLanding(place: HTMLElement): void {
  let root: Root | undefined;
  const startAppWith = async (toast: Toast) => {
    const { startApp } = await import('./main');
    root?.unmount();
    history.pushState(null, '', routes.subscribePending.path);
    startApp(place, toast);
  };
  const showRefusal = async (toast: Toast) => (await import('./providers')).showToastBesideLanding(toast);
  const page = (
    <LandingPage onSubscribed={(toast) => void startAppWith(toast)} onRefused={(toast) => void showRefusal(toast)} />
  );
  // The server took the visitor for signed in, because of a cookie from an ended session, and covered the page with the
  // application's frame.
  document.getElementById('prerendered')?.remove();
  const isPrerendered = place.hasChildNodes();
  // A transition is rendered in short steps, so that a slow phone can respond to touches in between.
  startTransition(() => {
    root = isPrerendered ? hydrateRoot(place, page) : createRoot(place);
    if (!isPrerendered) root.render(page);
  });
}
