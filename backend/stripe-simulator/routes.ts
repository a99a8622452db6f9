import { customersRoutes } from './routes/customers.ts';
import { paymentsRoutes } from './routes/payments.ts';
import type { Route } from './routes/route.ts';

/** Routes of the simulated part of Stripe's API. Unknown paths and parameters are refused, as Stripe does. */
const ROUTES: Route[] = [...customersRoutes, ...paymentsRoutes];

/** Finds the route of a call, with the ids in its path. */
export function findRoute(method: string, path: string): { route: Route; ids: string[] } | undefined {
  for (const found of ROUTES) {
    const match = found.method === method ? found.path.exec(path) : null;
    if (match) return { route: found, ids: match.slice(1).map(decodeURIComponent) };
  }
  return undefined;
}
