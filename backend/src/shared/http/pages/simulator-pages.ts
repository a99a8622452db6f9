import { request } from 'node:http';
import { posix } from 'node:path';
import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.js';
import { answerOfStatus, sendError } from '../responses/error.filter.js';

/** Path under which this server serves the pages of the Stripe simulator: card confirmation, 3-D Secure, portal. */
export const SIMULATOR_PAGES = '/stripe-simulator';

/** Forwards browser requests to the Stripe simulator of `npm start`; 404 if there is no simulator. */
export function simulatorPages(settings: Settings): RequestHandler {
  const target = settings.billingMode === 'demo' ? settings.stripe.apiUrl : undefined;
  if (!target) return (_req, _res, next) => next();
  return (req, res) => {
    const { cookie: _cookie, authorization: _authorization, ...headers } = req.headers;
    const path = pagePath(req.originalUrl);
    if (!path) return sendError(res, answerOfStatus(404));
    const forward = request(
      new URL(path, target),
      { method: req.method, headers: { ...headers, host: new URL(target).host } },
      (answer) => {
        const { 'content-type': type, location } = answer.headers;
        res
          .status(answer.statusCode ?? 502)
          .set({ 'Content-Type': type, 'Cache-Control': 'no-store', ...(location && { Location: location }) });
        answer.pipe(res);
      },
    );
    forward.on('error', () => sendError(res, answerOfStatus(503)));
    req.pipe(forward);
  };
}

/**
 * Path and query to forward.
 * @returns undefined for a path that leads outside the pages once it is decoded and normalised, because the simulator
 * also has an API and test controls
 */
function pagePath(originalUrl: string): string | undefined {
  // Only the path is used, so that a URL with another host cannot redirect the request to that host.
  const { pathname, search } = new URL(originalUrl, 'http://simulator');
  let plain = pathname;
  for (let round = 0; round < 5 && plain.includes('%'); round += 1) {
    try {
      plain = decodeURIComponent(plain);
    } catch {
      return undefined;
    }
  }
  const resolved = posix.normalize(plain.replaceAll('\\', '/'));
  const isInside = !plain.includes('%') && [pathname, resolved].every((path) => path.startsWith(`${SIMULATOR_PAGES}/`));
  return isInside ? `${pathname}${search}` : undefined;
}
