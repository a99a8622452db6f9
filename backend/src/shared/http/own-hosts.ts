import type { RequestHandler } from 'express';
import type { Settings } from '../config/settings.js';
import { sendError } from './error.filter.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether everything that runs here is for this machine alone: `npm start` with its own parts and a local address. */
export const isLocalOnly = ({ embedded, appUrl }: Settings): boolean => embedded.size > 0 && LOOPBACK.includes(new URL(appUrl).hostname);

/**
 * Whether a Host header names this product on the embedded default, at whatever port. A page of another site whose name was made
 * to lead to this machine (DNS rebinding) is told from ours by nothing else.
 */
export function isOwnHost({ appUrl }: Settings, host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
  return LOOPBACK.includes(name) || name === new URL(appUrl).hostname;
}

/** Answers requests for our own names alone on the embedded default; elsewhere the load balancer decides which names lead here. */
export function refuseForeignHosts(settings: Settings): RequestHandler {
  if (settings.embedded.size === 0) return (_req, _res, next) => next();
  return (req, res, next) => {
    if (isOwnHost(settings, req.headers.host)) return next();
    const { hostname } = new URL(settings.appUrl);
    sendError(res, { status: 421, code: 'foreign_host', message: `This address is not served here. Use localhost or ${hostname}, or set APP_URL to the address that you use.` });
  };
}
