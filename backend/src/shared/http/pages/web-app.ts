import { readFileSync, statSync, existsSync } from 'node:fs';
import { dirname, sep, join } from 'node:path';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { PRODUCT_NAME } from '../../enums.js';
import { isScreen, isTokenPage, trimmed } from './app-routes.js';
import { AllPageParts, mayBeSignedIn, type PageParts, withParts } from './page-parts.js';

/**
 * Finds a file of the repository in this folder or a parent folder. The depth differs between sources, build and
 * container image.
 */
export function findUp(relative: string): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, relative);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}

const TYPES: Record<string, string> = { js: 'text/javascript; charset=utf-8', css: 'text/css; charset=utf-8' };
const ASSET = /^\/assets\/[\w.-]+\.(js|css)$/;

/**
 * Rewrites the request for a script or style sheet to its precompressed brotli copy if the client accepts brotli and
 * the copy exists. The static file middleware then serves the copy. Other responses are compressed on the fly.
 */
export function compressedAssets(folder: string): (req: Request, res: Response) => void {
  return (req, res) => {
    const type = TYPES[ASSET.exec(req.path)?.[1] ?? ''];
    if (!type || !['GET', 'HEAD'].includes(req.method)) return;
    res.vary('Accept-Encoding');
    const copy = `${req.path}.br`;
    if (!req.acceptsEncodings('br') || !existsSync(join(folder, copy))) return;
    res.setHeader('Content-Encoding', 'br');
    res.setHeader('Content-Type', type);
    req.url = copy;
  };
}

const BARE_PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${PRODUCT_NAME}</title>
<meta name="link-guard-seconds" content=""></head><body><div id="root"></div></body></html>`;

/** Serves the built web app: its static files, and its single HTML page for every other path. */
export class WebApp {
  private readonly indexFile = findUp('frontend/dist/index.html');
  private readonly pagesFile = join(dirname(this.indexFile ?? ''), 'pages.json');
  private built = { html: '', times: '', parts: new AllPageParts([]) };
  private readonly documents = new Map<PageParts, string>();

  constructor(private readonly linkGuardSeconds: number) {}

  /** Serves the static files of the build. Files with a content hash in their name are cached for ever. */
  files(): RequestHandler {
    if (!this.indexFile) return (_req, _res, next) => next();
    const serve = express.static(dirname(this.indexFile), {
      index: false,
      redirect: false,
      cacheControl: false,
      setHeaders: (res, path) => {
        const hashed = path.includes(`${sep}assets${sep}`);
        res.setHeader('Cache-Control', hashed ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
    const compressed = compressedAssets(dirname(this.indexFile));
    return (req, res, next) => {
      if (/\/$|\.(html|map|br)$|^\/pages\.json$/.test(req.path) || req.path.startsWith('/api/')) return next();
      compressed(req, res);
      serve(req, res, next);
    };
  }

  /**
   * Sends the app's HTML page: with 200 for its screens, else with 404, for which the app shows its not-found screen.
   */
  send(req: Request, res: Response): void {
    const found = isScreen(req.path);
    const secret = isTokenPage(req.path);
    res.setHeader('Cache-Control', secret ? 'no-store' : 'no-cache');
    if (secret || !found) res.setHeader('X-Robots-Tag', 'noindex');
    res
      .status(found ? 200 : 404)
      .type('html')
      .vary('Cookie')
      .send(this.document(trimmed(req.path), !mayBeSignedIn(req.headers.cookie)));
  }

  private document(path: string, isGuest: boolean): string {
    this.readBuild();
    const parts = this.built.parts.of(path, isGuest);
    const known = this.documents.get(parts);
    if (known !== undefined) return known;
    const html = withParts(this.built.html, parts);
    this.documents.set(parts, html);
    return html;
  }

  /** Reads the build if its files have changed since the last call. */
  private readBuild(): void {
    const times = `${modifiedAt(this.indexFile)} ${modifiedAt(this.pagesFile)}`;
    if (times === this.built.times) return;
    const raw = this.indexFile && modifiedAt(this.indexFile) > 0 ? readFileSync(this.indexFile, 'utf8') : BARE_PAGE;
    const html = raw.replace(/(<meta name="link-guard-seconds" content=")[^"]*"/, `$1${this.linkGuardSeconds}"`);
    this.built = { html, times, parts: AllPageParts.read(this.pagesFile) };
    this.documents.clear();
  }
}

/** Time of the last change, in milliseconds; 0 if the file does not exist. */
const modifiedAt = (file: string | undefined): number =>
  (file && statSync(file, { throwIfNoEntry: false })?.mtimeMs) || 0;
