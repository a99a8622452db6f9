import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../../config/settings.js';

/** Only the public list page may load images of other hosts, for the agency's logo. */
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

/** The only page with a card form. The web app loads it with a full navigation, so that its own policy applies. */
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
 * Sets security headers on every answer. Scripts are allowed from our own origin, and from Stripe's on the checkout
 * page only.
 */
export function securityHeaders(settings: Settings): RequestHandler {
  const ordinary = helmetFor(settings);
  const checkout = ['live', 'test'].includes(settings.billingMode) ? helmetFor(settings, STRIPE) : ordinary;
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', NO_DEVICES);
    (isCheckout(req) ? checkout : ordinary)(req, res, next);
  };
}

/** API answers are personal and must not be cached. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
