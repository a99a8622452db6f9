import {
  createContext,
  useContext,
  useEffect,
  useEffectEvent,
  useMemo,
  type ComponentProps,
  type ComponentType,
} from 'react';
import { browser } from './browser';
import { matchPath, routes, type RouteName } from './routes';

type LinkProps = ComponentProps<'a'> & { to: string };

export interface Navigation {
  pathname: string;
  search: string;
  /** Opens a URL of the app. `replace` replaces the present history entry. */
  go: (to: string, options?: { replace?: boolean }) => void;
  /** A link to a URL of the app. */
  Link: ComponentType<LinkProps>;
}

/** A link that loads the document it leads to. */
export const DocumentLink = ({ to, children, ...rest }: LinkProps) => (
  <a href={to} {...rest}>
    {children}
  </a>
);

/** Navigation for screens that work with and without the router. Without a provider, links load documents. */
const NavigationContext = createContext<Navigation | null>(null);

export const NavigationProvider = NavigationContext.Provider;

export function useNavigation(): Navigation {
  const given = useContext(NavigationContext);
  return given ?? { pathname: location.pathname, search: location.search, go: browser.redirectTo, Link: DocumentLink };
}

/** For `component={AppLink}`. Within the app it navigates without loading a document. */
export function AppLink(props: LinkProps) {
  const { Link } = useNavigation();
  return <Link {...props} />;
}

/** The URL's search parameters. */
export function useSearch(): URLSearchParams {
  const { search } = useNavigation();
  return useMemo(() => new URLSearchParams(search), [search]);
}

/** A parameter of the path, by its name in the route's pattern; empty if the path does not have it. */
export const usePathPart = (route: RouteName, name: string): string =>
  matchPath(routes[route].path, useNavigation().pathname)?.[name] ?? '';

/** Replaces the present URL at once. */
export function Redirect({ to }: { to: string }) {
  const { go } = useNavigation();
  const leave = useEffectEvent(() => go(to, { replace: true }));
  useEffect(() => leave(), [to]);
  return null;
}
