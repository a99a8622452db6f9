import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../config/settings.js';

/**
 * Image sources in addition to our own. Only the public list page may load images from other hosts, for the agency's
 * logo.
 */
const logosOfAgencies = (req: IncomingMessage): string =>
  /^\/subscribe\/list\//.test(req.url ?? '') ? 'https:' : 'data:';

/** Browser features that no page uses. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()';

/** Origins of Stripe's card form. */
const STRIPE = {
  scriptSrc: ['https://js.stripe.com', 'https://*.js.stripe.com'],
  frameSrc: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connectSrc: ['https://api.stripe.com'],
};
type Foreign = Partial<Record<keyof typeof STRIPE, string[]>>;

/**
 * Whether the request is for the checkout page, the only page with a card form. The web app opens this page with a full
 * navigation, so that the page's own policy applies.
 */
const isCheckout = (req: IncomingMessage): boolean => /^\/subscribe\/?(\?|$)/.test(req.url ?? '');

function helmetFor(
  settings: Settings,
  { scriptSrc = [], frameSrc = [], connectSrc = [] }: Foreign = {},
): RequestHandler {
  const https = settings.appUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'", ...scriptSrc],
        scriptSrcAttr: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', logosOfAgencies],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...connectSrc],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        frameAncestors: ["'none'"],
        formAction: ["'self'"],
        ...(frameSrc.length > 0 && { frameSrc }),
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

/**
 * Sets security headers on every response. Scripts may come from our own origin and, on the checkout page only, from
 * Stripe.
 */
export function securityHeaders(settings: Settings): RequestHandler {
  const ordinary = helmetFor(settings);
  const checkout = ['live', 'test'].includes(settings.billingMode) ? helmetFor(settings, STRIPE) : ordinary;
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', NO_DEVICES);
    (isCheckout(req) ? checkout : ordinary)(req, res, next);
  };
}

/** Forbids caching, because API responses contain personal data. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
