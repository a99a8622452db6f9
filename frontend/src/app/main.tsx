import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import type { Toast } from '../ui/toast';
import { Say } from './landing-toasts';
import { Providers } from './providers';
import { reportUncaughtErrors } from './report-error';
import { makeRouter } from './router';

/** Starts the application at the present address; `toast` says first what was just done on the landing page. */
export function startApp(place: HTMLElement, toast?: Toast): void {
  reportUncaughtErrors();
  createRoot(place).render(
    <StrictMode>
      <Providers>
        {toast && <Say toast={toast} />}
        <RouterProvider router={makeRouter()} />
      </Providers>
    </StrictMode>,
  );
}
