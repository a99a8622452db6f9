import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { pages } from './vite-pages.ts';
import { compressed, groupsByVisit, preloadedFonts, preloadedShared } from './vite-plugins.ts';

const calls = ['/api/auth/user'];
const account = ['/src/app/main.tsx', '/src/app/store-provider.tsx'];
/** A screen of the application, by the module that the router fetches; `by` renders what is shown until then. */
const screen = (path: string, module: string, by = 'screenHtml') => ({
  path,
  audience: 'signed-in' as const,
  calls,
  modules: [...account, '/src/app/routed-app.tsx', `/src/features/${module}.tsx`],
  rendered: { by, as: 'cover' as const },
});

export default defineConfig({
  plugins: [
    react(),
    preloadedFonts(/inter-latin-wght-normal/),
    preloadedShared(['/src/app/landing.tsx', '/src/app/main.tsx']),
    pages('src/app/prerender.tsx', [
      {
        path: '/',
        audience: 'guests',
        calls,
        modules: ['/src/app/landing.tsx'],
        rendered: { by: 'landingHtml', as: 'root' },
      },
      {
        path: '/login',
        audience: 'guests',
        calls,
        modules: [...account, '/src/features/auth/login-screen.tsx'],
        rendered: { by: 'loginHtml', as: 'cover' },
      },
      screen('/', 'dashboard/dashboard-screen', 'dashboardHtml'),
      screen('/dashboard', 'dashboard/dashboard-screen', 'dashboardHtml'),
      screen('/lists', 'lists/lists-screen', 'listsHtml'),
      screen('/lists/:id', 'lists/list-screen'),
      screen('/send', 'send/wizard/send-screen', 'sendHtml'),
      screen('/send/:id', 'send/wizard/send-screen', 'sendHtml'),
      screen('/history', 'history/history-screen', 'historyHtml'),
      screen('/history/:id', 'history/history-entry-screen'),
      {
        path: '/unsubscribe/:token',
        audience: 'all',
        modules: ['/src/app/main.tsx', '/src/features/consent/unsubscribe-screen.tsx'],
      },
      {
        path: '/files/:token',
        audience: 'all',
        modules: ['/src/app/main.tsx', '/src/features/shared-file/shared-file-screen.tsx'],
      },
      {
        path: '/subscribe/confirmed',
        audience: 'all',
        modules: ['/src/app/main.tsx', '/src/features/consent/confirmation-screen.tsx'],
      },
      {
        path: '/subscribe/list/:slug',
        audience: 'all',
        modules: ['/src/app/main.tsx', '/src/features/subscribe/list-page-screen.tsx'],
      },
    ]),
    compressed(),
  ],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    // Maps lie beside the scripts for the operator; no script names its map, and the server serves none.
    sourcemap: 'hidden',
    // Every asset is a file: the content security policy allows no data: fonts.
    assetsInlineLimit: 0,
    // React changes rarely: apart from our own code, a release does not throw it out of caches. All else is split by
    // which screens use it, so that no screen fetches what only others need (frontend/e2e/weight.journey.ts holds the
    // limits).
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'vendor-react', test: /node_modules[\\/](react|react-dom|scheduler)[\\/]/, priority: 100 },
            ...groupsByVisit('src/app/boot.ts', {
              landing: { always: ['src/app/landing.tsx'], isolated: true },
              mailed: {
                always: ['src/app/main.tsx'],
                screens: 'src/app/public-screens.ts',
                only: /features\/(consent\/|shared-file\/|subscribe\/|referrals\/invite-opt-out|auth\/(not-me|verify-email))[\w.-]*$/,
              },
              login: {
                always: ['src/app/main.tsx', 'src/app/store-provider.tsx'],
                screens: 'src/app/public-screens.ts',
                only: /auth\/(login|check-email)[\w.-]*$/,
              },
              register: {
                always: ['src/app/main.tsx', 'src/app/store-provider.tsx'],
                screens: 'src/app/public-screens.ts',
                only: /auth\/(register|forgot-password|reset-password)[\w.-]*$/,
              },
              toasts: { always: ['src/ui/toast/toasts.tsx'] },
              // What the dashboard shares with some screens is small, and most visits begin there: in the one file, not in many.
              application: {
                always: [
                  'src/app/main.tsx',
                  'src/app/store-provider.tsx',
                  'src/app/routed-app.tsx',
                  'src/features/dashboard/dashboard-screen.tsx',
                ],
                screens: 'src/app/screens.tsx',
              },
            }),
          ],
        },
      },
    },
  },
});
