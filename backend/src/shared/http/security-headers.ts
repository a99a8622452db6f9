import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../config/settings.js';

/** The one page that shows a picture of another host: a list's public page, with its agency's logo (decisions.md D37). */
const logosOfAgencies = (req: IncomingMessage): string => (/^\/subscribe\/list\//.test(req.url ?? '') ? 'https:' : 'data:');

type Origins = Record<'script' | 'frame' | 'connect', string[]>;
const NO_ORIGINS: Origins = { script: [], frame: [], connect: [] };

/** What Stripe's own payment form needs; the simulator's form is ours, so beside it every page stays closed. */
function stripesOrigins(settings: Settings): Origins {
  if (settings.billingMode !== 'live' && settings.billingMode !== 'test') return NO_ORIGINS;
  const script = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  return { script, frame: [...script, 'https://hooks.stripe.com'], connect: ['https://api.stripe.com'] };
}

/** The one page with a payment form; the web app loads it anew to come under its policy. */
const isCheckout = (req: IncomingMessage): boolean => /^\/subscribe\/?(\?|$)/.test(req.url ?? '');

/** What no page of ours asks a browser for. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()';

function helmetFor(settings: Settings, { script, frame, connect }: Origins): RequestHandler {
  const https = settings.appUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"], scriptSrc: ["'self'", ...script], scriptSrcAttr: ["'none'"], styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', logosOfAgencies], fontSrc: ["'self'"], connectSrc: ["'self'", ...connect], frameSrc: ["'self'", ...frame], objectSrc: ["'none'"],
        baseUri: ["'self'"], frameAncestors: ["'none'"], formAction: ["'self'"],
        ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

/** The headers of every answer; scripts come from our own files only, and on the page that pays from Stripe's. */
export function securityHeaders(settings: Settings): RequestHandler {
  const ordinary = helmetFor(settings, NO_ORIGINS);
  const checkout = helmetFor(settings, stripesOrigins(settings));
  return (req, res, next) => {
    res.setHeader('Permissions-Policy', NO_DEVICES);
    (isCheckout(req) ? checkout : ordinary)(req, res, next);
  };
}

/** Answers of the API are one person's, at one moment. */
export const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};
