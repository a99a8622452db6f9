import type { ReactNode } from 'react';
import { Navigate } from 'react-router-dom';
import { useCurrentUser } from '../api/session';
import { routes } from '../lib/routes';

/** Everybody else is led to the dashboard; the API refuses them anyway. */
export function AdminsOnly({ children }: { children: ReactNode }) {
  return useCurrentUser().isAdmin ? children : <Navigate to={routes.dashboard.path} replace />;
}
