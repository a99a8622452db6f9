import { readFileSync, statSync } from 'node:fs';
import { dirname, sep } from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { PRODUCT_NAME } from '../words/product.js';
import { isScreen, isTokenPage } from './app-routes.js';
import { findUp } from './find-up.js';

const BARE_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${PRODUCT_NAME}</title>
<meta name="link-guard-seconds" content=""></head><body><div id="root"></div></body></html>`;

/** The built web app: its files, and its one page for every path. */
export class WebApp {
  private readonly indexFile = findUp('frontend/dist/index.html');
  private page = { html: '', mtime: -1 };

  constructor(private readonly linkGuardSeconds: number) {}

  /** Files of the build; those with a hash in their name never change. */
  files(): RequestHandler {
    if (!this.indexFile) return (_req, _res, next) => next();
    const serve = express.static(dirname(this.indexFile), {
      index: false, redirect: false, cacheControl: false,
      setHeaders: (res, path) => {
        const hashed = path.includes(`${sep}assets${sep}`);
        res.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    return (req, res, next) => (/\/$|\.(html|map)$/.test(req.path) || req.path.startsWith('/api/') ? next() : serve(req, res, next));
  }

  /** The app's page: 200 for its screens, else 404 with the app's own not-found page. */
  send(req: Request, res: Response): void {
    const found = isScreen(req.path);
    const secret = isTokenPage(req.path);
    res.setHeader('Cache-Control', secret ? 'no-store' : 'no-cache');
    if (secret || !found) res.setHeader('X-Robots-Tag', 'noindex');
    res.status(found ? 200 : 404).type('html').send(this.html());
  }

  private html(): string {
    const mtime = this.indexFile ? (statSync(this.indexFile, { throwIfNoEntry: false })?.mtimeMs ?? 0) : 0;
    if (mtime !== this.page.mtime) {
      const raw = this.indexFile && mtime > 0 ? readFileSync(this.indexFile, 'utf8') : BARE_PAGE;
      const html = raw.replace(/(<meta name="link-guard-seconds" content=")[^"]*"/, `$1${this.linkGuardSeconds}"`);
      this.page = { html, mtime };
    }
    return this.page.html;
  }
}
