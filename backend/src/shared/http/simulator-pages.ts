import { request } from 'node:http';
import type { RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { answerOfStatus, sendError } from './error.filter.js';

/** The path of the simulated Stripe's pages on our own port: card confirmation, 3-D Secure, portal. */
export const SIMULATOR_PAGES = '/stripe-simulator';

/** Hands a browser's calls on to the simulator that `npm start` brought up; without one there is no such path. */
export function simulatorPages(settings: Settings): RequestHandler {
  const target = settings.billingMode === 'demo' ? settings.stripe.apiUrl : undefined;
  if (!target) return (_req, _res, next) => next();
  return (req, res) => {
    const { cookie: _cookie, authorization: _authorization, ...headers } = req.headers;
    // The path only: an address that names another host must not lead there.
    const { pathname, search } = new URL(req.originalUrl, target);
    const forward = request(new URL(`${pathname}${search}`, target), { method: req.method, headers: { ...headers, host: new URL(target).host } }, (answer) => {
      const { 'content-type': type, location } = answer.headers;
      res.status(answer.statusCode ?? 502).set({ 'Content-Type': type, 'Cache-Control': 'no-store', ...(location && { Location: location }) });
      answer.pipe(res);
    });
    forward.on('error', () => sendError(res, answerOfStatus(503)));
    req.pipe(forward);
  };
}
