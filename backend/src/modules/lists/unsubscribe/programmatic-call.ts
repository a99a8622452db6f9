import type { Request } from 'express';

/** Answer of a GET that had no effect. */
export interface NoEffect {
  message: string;
}

/** Answer of a consent link that a scanner or a browser merely fetched. */
export const NO_EFFECT: NoEffect = { message: 'Open the link from your email in a browser to continue.' };

/**
 * Whether a request is an intentional API call: no HEAD request, navigation or prefetch, and not from a client that
 * prefers HTML. Scanners and browsers that merely follow a mailed URL must not change anything.
 */
export function isProgrammatic(request: Pick<Request, 'method' | 'headers'>): boolean {
  const header = (name: string) => String(request.headers[name] ?? '').toLowerCase();
  if (request.method !== 'GET') return false;
  if (header('sec-fetch-mode') === 'navigate') return false;
  if (header('sec-fetch-dest') !== '' && header('sec-fetch-dest') !== 'empty') return false;
  if (['sec-purpose', 'purpose', 'x-moz', 'x-purpose'].some((name) => /prefetch|prerender|preview/.test(header(name))))
    return false;
  return !prefersHtml(header('accept'));
}

/** Whether an Accept header ranks text/html above JSON. */
function prefersHtml(accept: string): boolean {
  const weights = new Map<string, number>();
  for (const part of accept.split(',')) {
    const [type = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const quality = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(type, quality ? Number(quality.slice(2)) || 0 : 1);
  }
  const html = Math.max(weights.get('text/html') ?? 0, weights.get('application/xhtml+xml') ?? 0);
  return html > 0 && html >= (weights.get('application/json') ?? 0);
}
