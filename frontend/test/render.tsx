import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { Providers } from '../src/app/providers';
import { routeTable } from '../src/app/router';

/** A piece of the app with everything it stands on, at an address of its own. */
export function renderPiece(element: ReactElement, path = '/') {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: [path] });
  const user = userEvent.setup();
  return { user, router, ...render(<Providers><RouterProvider router={router} /></Providers>) };
}

/** The whole app, opened at an address. */
export function renderApp(path: string) {
  const router = createMemoryRouter(routeTable, { initialEntries: [path] });
  const user = userEvent.setup();
  return { user, router, ...render(<Providers><RouterProvider router={router} /></Providers>) };
}
