import { readFileSync } from 'node:fs';
import { matcher } from './app-routes.js';

/**
 * What a page adds to the web app's index.html. The build writes the parts of all pages to pages.json
 * (frontend/vite-pages.ts).
 */
export interface PageParts {
  /** HTML for the end of the document's head: the scripts that the page needs. */
  head: string;
  /** Prerendered HTML inside the app's root element. */
  root: string;
  /** Prerendered HTML that is shown until the scripts have run. */
  cover: string;
}

interface StoredPage extends PageParts {
  path: string;
  audience: 'guests' | 'signed-in' | 'all';
}

export const NO_PARTS: PageParts = { head: '', root: '', cover: '' };

/**
 * Whether a browser probably has a session, judged by its cookies alone. Decides only which prerendered page it gets.
 */
export const mayBeSignedIn = (cookies: string | undefined): boolean =>
  /(^|;\s*)(__Host-)?staffcast_(access|refresh)=/.test(cookies ?? '');

/** The parts of all pages. */
export class AllPageParts {
  private readonly pages: (StoredPage & { pattern: RegExp })[];

  constructor(pages: readonly StoredPage[]) {
    this.pages = pages.map((page) => ({ ...page, pattern: matcher([page.path]) }));
  }

  /** Reads the file that the build wrote. Without the file, no page has parts. */
  static read(file: string): AllPageParts {
    try {
      return new AllPageParts(JSON.parse(readFileSync(file, 'utf8')) as StoredPage[]);
    } catch {
      return new AllPageParts([]);
    }
  }

  /** The parts of the page at a path. Returns the same object for the same page, so callers may cache by it. */
  of(path: string, isGuest: boolean): PageParts {
    const others = isGuest ? 'signed-in' : 'guests';
    return this.pages.find(({ pattern, audience }) => audience !== others && pattern.test(path)) ?? NO_PARTS;
  }
}

/** Inserts the parts of a page into the document. */
export const withParts = (html: string, { head, root, cover }: PageParts): string =>
  html
    .replace('</head>', () => `${head}</head>`)
    .replace(
      '<div id="root"></div>',
      () => `${cover && `<div id="prerendered" inert>${cover}</div>`}<div id="root">${root}</div>`,
    );
