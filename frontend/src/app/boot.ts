import { preloadAnswer } from '../api/preloaded-answers';
import { entryKind } from './entry-kind';

/**
 * The first script. At / a visitor who is not signed in gets the landing page, a small bundle of its own; any other URL
 * gets the parts of the app that it needs. The session request is sent first, then all parts are fetched in parallel.
 */
async function boot(): Promise<void> {
  const root = document.getElementById('root');
  if (!root) throw new Error('The page has no root');
  const kind = entryKind(location.pathname);
  const answer = kind === 'mailed' ? undefined : preloadAnswer('/api/auth/user');
  if (kind === 'landing') {
    const landing = import('./landing');
    if ((await answer)?.status === 401) return (await landing).showLanding(root);
  }
  const hasStore = kind !== 'mailed';
  const isRouted = kind === 'landing' || kind === 'application';
  // A failed fetch is reported where the part is used.
  if (document.querySelector('link[rel=modulepreload]')) {
    await runOneByOne([
      () => import('react-dom/client'),
      () => import('./providers'),
      ...(hasStore ? [() => import('./store-provider')] : []),
      ...(isRouted ? [() => import('./routed-app')] : []),
    ]).catch(() => undefined);
  } else {
    if (hasStore) import('./store-provider').catch(() => undefined);
    if (isRouted) import('./routed-app').catch(() => undefined);
  }
  (await import('./main')).startApp(root);
}

/**
 * Runs scripts that were fetched already, one by one. All at once would block a slow phone from responding to touches.
 */
async function runOneByOne(parts: (() => Promise<unknown>)[]): Promise<void> {
  for (const part of parts) {
    await part();
    await new Promise((resolve) => setTimeout(resolve));
  }
}

void boot();
