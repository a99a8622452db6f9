import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { isReady, routes, type RouteName } from '../lib/routes';
import { GuestGuard, SignedInGuard } from './guards';
import { PublicLayout } from './layouts/public-layout';
import { RootLayout } from './layouts/root-layout';
import { Splash } from './layouts/splash';
import { RouteError } from './route-error';
import { screens } from './screens';

/** Each screen is a chunk of its own, with its own error boundary. */
const screen = (name: RouteName): RouteObject[] =>
  isReady(name)
    ? [{ path: routes[name].path, lazy: async () => ({ Component: (await screens[name]()).default }), errorElement: <RouteError /> }]
    : [];

export const routeTable: RouteObject[] = [
  {
    element: <RootLayout />,
    errorElement: <RouteError />,
    hydrateFallbackElement: <Splash />,
    children: [
      {
        element: <SignedInGuard />,
        children: [
          ...screen('home'),
          ...screen('dashboard'),
          ...screen('send'),
          ...screen('lists'),
          ...screen('list'),
          ...screen('history'),
          ...screen('historyEntry'),
          ...screen('referrals'),
          ...screen('upgrade'),
          ...screen('settings'),
          ...screen('admin'),
          ...screen('operations'),
        ],
      },
      {
        element: <PublicLayout />,
        children: [
          {
            element: <GuestGuard />,
            children: [
              ...screen('login'),
              ...screen('register'),
            ],
          },
          ...screen('forgotPassword'),
          ...screen('resetPassword'),
          ...screen('checkEmail'),
          ...screen('verifyEmail'),
          ...screen('notMe'),
          ...screen('invite'),
          ...screen('noInvites'),
          ...screen('subscribeList'),
          ...screen('subscribePending'),
          ...screen('subscribeConfirmed'),
          ...screen('unsubscribe'),
          ...screen('neverAsk'),
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('./routes/not-found')).default }), errorElement: <RouteError /> },
    ],
  },
];

/** The app's addresses. */
export const makeRouter = () => createBrowserRouter(routeTable);
