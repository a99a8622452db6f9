import type { RequestHandler } from 'express';
import type { Settings } from '../../config/settings.js';
import { sendError } from '../responses/error.filter.js';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/** Whether only this machine uses the product: `npm start` with embedded services and a local APP_URL. */
export const isLocalOnly = ({ embedded, appUrl }: Settings): boolean =>
  embedded.size > 0 && LOOPBACK.includes(new URL(appUrl).hostname);

/**
 * Whether a Host header names loopback or the host of APP_URL, with any port. Protects `npm start` against DNS
 * rebinding, which can be detected by the Host header only.
 */
export function isOwnHost({ appUrl }: Settings, host: string | undefined): boolean {
  const name = (host ?? '').replace(/:\d{1,5}$/, '').toLowerCase();
  return LOOPBACK.includes(name) || name === new URL(appUrl).hostname;
}

/**
 * Refuses requests with a foreign Host header if the services are embedded (`npm start`). In other deployments, the
 * load balancer decides which hosts it forwards.
 */
export function refuseForeignHosts(settings: Settings): RequestHandler {
  if (settings.embedded.size === 0) return (_req, _res, next) => next();
  return (req, res, next) => {
    if (isOwnHost(settings, req.headers.host)) return next();
    const { hostname } = new URL(settings.appUrl);
    sendError(res, {
      status: 421,
      code: 'foreign_host',
      message: `This address is not served here. Use localhost or ${hostname}, or set APP_URL to the address that you use.`,
    });
  };
}
