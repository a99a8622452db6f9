import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router-dom';
import { isReady, routes, type RouteName } from '../lib/routes';
import { RouteError } from '../ui/route-error';
import { GuestGuard, SignedInGuard } from './guards';
import { PublicLayout } from './layouts/public-layout';
import { RootLayout } from './layouts/root-layout';
import { Splash } from './layouts/splash';

type Screen = () => Promise<{ default: ComponentType }>;

/** Each screen is a chunk of its own, with its own error boundary. */
const screen = (name: RouteName, load: Screen): RouteObject[] =>
  isReady(name)
    ? [{ path: routes[name].path, lazy: async () => ({ Component: (await load()).default }), errorElement: <RouteError /> }]
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
          ...screen('home', () => import('./routes/signed-in/dashboard')),
          ...screen('dashboard', () => import('./routes/signed-in/dashboard')),
          ...screen('send', () => import('./routes/signed-in/send')),
          ...screen('lists', () => import('./routes/signed-in/lists')),
          ...screen('list', () => import('./routes/signed-in/list')),
          ...screen('history', () => import('./routes/signed-in/history')),
          ...screen('historyEntry', () => import('./routes/signed-in/history-entry')),
          ...screen('referrals', () => import('./routes/signed-in/referrals')),
          ...screen('upgrade', () => import('./routes/signed-in/upgrade')),
          ...screen('settings', () => import('./routes/signed-in/settings')),
          ...screen('admin', () => import('./routes/signed-in/admin')),
          ...screen('operations', () => import('./routes/signed-in/operations')),
        ],
      },
      {
        element: <PublicLayout />,
        children: [
          {
            element: <GuestGuard />,
            children: [
              ...screen('login', () => import('./routes/public/login')),
              ...screen('register', () => import('./routes/public/register')),
            ],
          },
          ...screen('forgotPassword', () => import('./routes/public/forgot-password')),
          ...screen('resetPassword', () => import('./routes/public/reset-password')),
          ...screen('checkEmail', () => import('./routes/public/check-email')),
          ...screen('verifyEmail', () => import('./routes/public/verify-email')),
          ...screen('notMe', () => import('./routes/public/not-me')),
          ...screen('invite', () => import('./routes/public/invite')),
          ...screen('noInvites', () => import('./routes/public/no-invites')),
          ...screen('subscribeList', () => import('./routes/public/subscribe-list')),
          ...screen('subscribePending', () => import('./routes/public/subscribe-pending')),
          ...screen('subscribeConfirmed', () => import('./routes/public/subscribe-confirmed')),
          ...screen('unsubscribe', () => import('./routes/public/unsubscribe')),
          ...screen('neverAsk', () => import('./routes/public/never-ask')),
        ],
      },
      { path: '*', lazy: async () => ({ Component: (await import('./routes/not-found')).default }), errorElement: <RouteError /> },
    ],
  },
];

/** The app's addresses. */
export const makeRouter = () => createBrowserRouter(routeTable);
