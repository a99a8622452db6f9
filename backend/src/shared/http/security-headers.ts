import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../config/settings.js';

/** The one page that shows a picture of another host: a list's public page, with its agency's logo (decisions.md D37). */
const logosOfAgencies = (req: IncomingMessage): string => (/^\/subscribe\/list\//.test(req.url ?? '') ? 'https:' : 'data:');

/** What Stripe's own payment form needs; the simulator's form is ours, so beside it the page stays closed to everyone. */
function stripesOrigins(settings: Settings): { script: string[]; frame: string[]; connect: string[] } {
  if (settings.billingMode !== 'live' && settings.billingMode !== 'test') return { script: [], frame: [], connect: [] };
  const script = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  return { script, frame: [...script, 'https://hooks.stripe.com'], connect: ['https://api.stripe.com'] };
}

/** What no page of ours asks a browser for. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()';

/** The headers of every answer; scripts come from our own files only. */
export function securityHeaders(settings: Settings): RequestHandler {
  const https = settings.appUrl.startsWith('https:');
  const stripe = stripesOrigins(settings);
  const headers = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"], scriptSrc: ["'self'", ...stripe.script], scriptSrcAttr: ["'none'"], styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', logosOfAgencies], fontSrc: ["'self'"], connectSrc: ["'self'", ...stripe.connect], frameSrc: ["'self'", ...stripe.frame], objectSrc: ["'none'"],
        baseUri: ["'self'"], frameAncestors: ["'none'"], formAction: ["'self'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', NO_DEVICES);
    headers(req, res, next);
  };
}

/** Answers of the API are one person's, at one moment. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
