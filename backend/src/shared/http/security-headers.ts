import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import helmet from 'helmet';
import type { Settings } from '../config/settings.js';

/** The one page that shows a picture of another host: a list's public page, with its agency's logo (decisions.md D37). */
const logosOfAgencies = (req: IncomingMessage): string => (/^\/subscribe\/list\//.test(req.url ?? '') ? 'https:' : 'data:');

/** What no page of ours asks a browser for. */
const NO_DEVICES = 'camera=(), microphone=(), geolocation=(), usb=(), browsing-topics=()';

/** Where Stripe's card form comes from, and whom it speaks to. */
const STRIPE = {
  scriptSrc: ['https://js.stripe.com', 'https://*.js.stripe.com'], frameSrc: ['https://js.stripe.com', 'https://*.js.stripe.com', 'https://hooks.stripe.com'],
  connectSrc: ['https://api.stripe.com'],
};
type Foreign = Partial<Record<keyof typeof STRIPE, string[]>>;

/** The one page with a card form; the web app loads it anew to come under its policy. */
const isCheckout = (req: IncomingMessage): boolean => /^\/subscribe\/?(\?|$)/.test(req.url ?? '');

function helmetFor(settings: Settings, { scriptSrc = [], frameSrc = [], connectSrc = [] }: Foreign = {}): RequestHandler {
  const https = settings.appUrl.startsWith('https:');
  return helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"], scriptSrc: ["'self'", ...scriptSrc], scriptSrcAttr: ["'none'"], styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', logosOfAgencies], fontSrc: ["'self'"], connectSrc: ["'self'", ...connectSrc], objectSrc: ["'none'"],
        baseUri: ["'self'"], frameAncestors: ["'none'"], formAction: ["'self'"],
        ...(frameSrc.length > 0 && { frameSrc }), ...(https && { upgradeInsecureRequests: [] }),
      },
    },
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  });
}

/** The headers of every answer; scripts come from our own files only, and where Stripe takes the money from Stripe's on the one page that pays. */
export function securityHeaders(settings: Settings): RequestHandler {
  const ordinary = helmetFor(settings);
  const checkout = ['live', 'test'].includes(settings.billingMode) ? helmetFor(settings, STRIPE) : ordinary;
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
