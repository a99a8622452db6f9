import { useState } from 'react';
import { createBrowserRouter, Outlet, RouterProvider, useRouteError, type RouteObject } from 'react-router-dom';
import { routes, type RouteName } from '../lib/routes';
import '../ui/toast/toasts';
import { BrokenScreen } from './errors/broken-screen';
import { AdminGuard, SignedInGuard, UnknownAddress } from './guards';
import { PublicLayout } from './layouts/public-layout';
import { RootLayout } from './layouts/root-layout';
import { Splash } from './layouts/splash';
import { publicScreens, type PublicScreen } from './public-screens';
import { screens } from './screens';

/** The routes of these screens, each with its own error boundary. */
const screenRoutes = (...names: RouteName[]): RouteObject[] =>
  names.map((name) => ({
    path: routes[name].path,
    lazy: async () => ({ Component: await screens[name]() }),
    errorElement: <RouteError />,
  }));

export const routeTable: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Splash />,
    children: [
      {
        element: <SignedInGuard />,
        children: [
          ...screenRoutes('home', 'dashboard', 'send', 'sendDraft', 'lists', 'list', 'history', 'historyEntry'),
          ...screenRoutes(
            'contacts',
            'doNotSend',
            'segments',
            'segment',
            'companies',
            'contactImport',
            'contactImportRun',
            'contactProfile',
            'library',
            'libraryTemplate',
            'notifications',
            'scheduled',
            'referrals',
            'upgrade',
            'settings',
          ),
          { element: <AdminGuard />, children: screenRoutes('admin', 'operations') },
        ],
      },
      {
        element: (
          <PublicLayout>
            <Outlet />
          </PublicLayout>
        ),
        children: screenRoutes(...(Object.keys(publicScreens) as PublicScreen[])),
      },
      { path: '*', element: <UnknownAddress />, errorElement: <RouteError /> },
    ],
  },
];

/** Shows a screen of the router that broke. */
export function RouteError() {
  return <BrokenScreen error={useRouteError()} />;
}

/** The application with its router, at the present URL. */
export default function RoutedApp() {
  const [router] = useState(() => createBrowserRouter(routeTable));
  return <RouterProvider router={router} />;
}
