import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router-dom';
import { Providers } from './providers';
import { makeRouter } from './router';

const root = document.getElementById('root');
if (!root) throw new Error('The page has no root');

createRoot(root).render(
  <StrictMode>
    <Providers>
      <RouterProvider router={makeRouter()} />
    </Providers>
  </StrictMode>,
);
