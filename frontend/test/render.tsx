import { render } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import type { ReactElement, ReactNode } from 'react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { ThemeAndToasts } from '../src/app/providers';
import { routeTable } from '../src/app/routed-app';
import { RouterNavigation } from '../src/app/layouts/root-layout';
import StoreProvider from '../src/app/store-provider';

/** The providers that every screen needs. */
export const Providers = ({ children }: { children: ReactNode }) => (
  <ThemeAndToasts>
    <StoreProvider>{children}</StoreProvider>
  </ThemeAndToasts>
);

/** Renders a part of the app with all providers, at the given path. */
export function renderPiece(element: ReactElement, path = '/') {
  const router = createMemoryRouter([{ path: '*', element: <RouterNavigation>{element}</RouterNavigation> }], {
    initialEntries: [path],
  });
  return renderRouter(router);
}

/** Renders the whole app at a path. */
export function renderApp(path: string) {
  const router = createMemoryRouter(routeTable, { initialEntries: [path] });
  return renderRouter(router);
}

function renderRouter(router: ReturnType<typeof createMemoryRouter>) {
  const user = userEvent.setup();
  return {
    user,
    router,
    ...render(
      <Providers>
        <RouterProvider router={router} />
      </Providers>,
    ),
  };
}
