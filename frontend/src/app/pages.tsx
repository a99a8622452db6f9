import {
  lazy,
  startTransition,
  Suspense,
  useEffect,
  useMemo,
  useState,
  type ComponentType,
  type LazyExoticComponent,
} from 'react';
import { DocumentLink, NavigationProvider, type Navigation } from '../lib/navigation';
import { useReloadQuestion } from '../lib/unsaved-changes';
import { ScreenBoundary } from './errors/broken-screen';
import { entryKind } from './entry-kind';
import { SkipLink, useFocusOnNavigation } from './layouts/main-area';
import { PublicLayout } from './layouts/public-layout';
import { Splash } from './layouts/splash';
import { useFocusRestore } from './layouts/use-focus-restore';
import { publicScreenAt, publicScreens, type PublicScreen } from './public-screens';

const loadRoutedApp = () => import('./routed-app');
const RoutedApp = lazy(loadRoutedApp);
const StoreProvider = lazy(() => import('./store-provider'));

const screens = Object.fromEntries(
  Object.entries(publicScreens).map(([name, load]) => [name, lazy(async () => ({ default: await load() }))]),
) as unknown as Record<PublicScreen, LazyExoticComponent<ComponentType>>;

interface Address {
  pathname: string;
  search: string;
  /** `hasStore` and `isRouted` become true when a page first needs the store or the router, and stay true. */
  hasStore: boolean;
  isRouted: boolean;
}

function currentAddress(before?: Address): Address {
  const kind = entryKind(location.pathname);
  const isRouted = before?.isRouted || kind === 'application' || kind === 'landing';
  return {
    pathname: location.pathname,
    search: location.search,
    hasStore: before?.hasStore || kind !== 'mailed',
    isRouted,
  };
}

/**
 * The app at the document's URL. Public pages work without the router, and those opened from a mail also without the
 * store, because most of their visitors need no more; their links load documents. Store and router are fetched when the
 * visitor opens a screen that needs them.
 */
export function Pages() {
  const [address, setAddress] = useState(() => currentAddress());
  const { pathname, search, hasStore, isRouted } = address;
  const navigation = useMemo<Navigation>(
    () => ({
      pathname,
      search,
      go: (to, { replace = false } = {}) => {
        history[replace ? 'replaceState' : 'pushState'](null, '', to);
        startTransition(() => setAddress(currentAddress));
      },
      Link: DocumentLink,
    }),
    [pathname, search],
  );
  useEffect(() => {
    // The router handles Back and Forward itself.
    if (isRouted) return;
    const onPopState = () => startTransition(() => setAddress(currentAddress));
    window.addEventListener('popstate', onPopState);
    return () => window.removeEventListener('popstate', onPopState);
  }, [isRouted]);
  const name = isRouted ? undefined : publicScreenAt(pathname);
  const page = name ? (
    <NavigationProvider value={navigation}>
      <PublicPage key={pathname + search} name={name} mayOpenApp={hasStore} />
    </NavigationProvider>
  ) : (
    <RoutedApp />
  );
  return (
    <ScreenBoundary>
      <Suspense fallback={<Splash />}>{hasStore ? <StoreProvider>{page}</StoreProvider> : page}</Suspense>
    </ScreenBoundary>
  );
}

function PublicPage({ name, mayOpenApp }: { name: PublicScreen; mayOpenApp: boolean }) {
  const Screen = screens[name];
  useFocusOnNavigation(name);
  useFocusRestore();
  useReloadQuestion();
  // A visitor who types here will probably open the application next.
  useEffect(() => {
    if (!mayOpenApp) return;
    const fetchApp = () => void loadRoutedApp().catch(() => undefined);
    document.addEventListener('input', fetchApp, { once: true });
    return () => document.removeEventListener('input', fetchApp);
  }, [mayOpenApp]);
  return (
    <>
      <SkipLink />
      <PublicLayout>
        <ScreenBoundary>
          <Suspense fallback={null}>
            <Screen />
          </Suspense>
        </ScreenBoundary>
      </PublicLayout>
    </>
  );
}
