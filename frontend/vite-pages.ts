import react from '@vitejs/plugin-react';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin, type Rolldown } from 'vite';

/** 'guests': browsers without a session. */
type Audience = 'guests' | 'signed-in' | 'all';

/**
 * How the document differs by address. The server puts these parts into index.html
 * (backend/src/shared/http/pages/web-app.ts).
 */
interface Page {
  /** '/lists/:id' */
  path: string;
  audience: Audience;
  /** For the end of the document's head. */
  head: string;
  /** HTML of the page's root. */
  root: string;
  /** HTML that covers the screen until the scripts have run. */
  cover: string;
}

interface PageSource {
  path: string;
  /** Modules whose scripts the page needs, all fetched at once instead of one after the other. */
  modules: readonly string[];
  audience: Audience;
  /**
   * Calls whose answers the first script takes (api/preloaded-answers.ts): the browser sends them before it fetches any
   * script.
   */
  calls?: readonly string[];
  /** Name of an export of `entry` that renders the page, and where its HTML stands. */
  rendered?: { by: string; as: 'root' | 'cover' };
}

/** Writes pages.json: the scripts that each page needs, and the HTML of pages that are shown before any script runs. */
export function pages(entry: string, sources: readonly PageSource[]): Plugin {
  const root = import.meta.dirname;
  let links = new Map<string, string>();
  let fonts = '';
  let folder = '';
  return {
    name: 'pages',
    apply: (_config, { command, isSsrBuild }) => command === 'build' && !isSsrBuild,
    async writeBundle(options, bundle) {
      folder = options.dir ?? '';
      const inDocument = await readFile(join(folder, 'index.html'), 'utf8');
      links = new Map(
        sources.map((source) => [
          keyOf(source),
          callLinks(source.calls) + scriptLinks(bundle, source.modules, inDocument),
        ]),
      );
      fonts = fontFaces(bundle);
    },
    async closeBundle() {
      if (!folder) return;
      const rendered = await renderers(root, entry);
      const written = sources.map((source): Page => {
        const { path, audience, rendered: how } = source;
        const { styles, html } = withoutStyles(how ? rendered[how.by]!() : '');
        return {
          path,
          audience,
          head: (how ? `<style>${fonts}</style>${styles}` : '') + (links.get(keyOf(source)) ?? ''),
          root: how?.as === 'root' ? html : '',
          cover: how?.as === 'cover' ? html : '',
        };
      });
      await writeFile(join(folder, 'pages.json'), JSON.stringify(written));
    },
  };
}

const keyOf = ({ path, audience }: PageSource) => `${path} ${audience}`;

/** The mode and the credentials have to be those of the call, or the browser sends it twice. */
const callLinks = (calls: readonly string[] = []) =>
  calls.map((path) => `<link rel="preload" as="fetch" crossorigin="use-credentials" href="${path}">`).join('');

/**
 * Preloads the chunks of these modules and all that they import, but for those that the document loads anyway. The
 * largest come first: browsers fetch a few files at a time, and the small ones fill what the large ones leave.
 */
function scriptLinks(bundle: Rolldown.OutputBundle, modules: readonly string[], inDocument: string): string {
  const needed = new Set<string>();
  const need = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk' || needed.has(name)) return;
    needed.add(name);
    chunk.imports.forEach(need);
  };
  for (const module of modules) {
    const chunk = Object.values(bundle).find((one) => one.type === 'chunk' && one.facadeModuleId?.endsWith(module));
    if (!chunk) throw new Error(`no chunk of ${module}`);
    need(chunk.fileName);
  }
  const sizeOf = (name: string): number => {
    const chunk = bundle[name];
    return chunk?.type === 'chunk' ? chunk.code.length : 0;
  };
  return [...needed]
    .filter((name) => !inDocument.includes(name))
    .sort((a, b) => sizeOf(b) - sizeOf(a))
    .map((name) => `<link rel="modulepreload" crossorigin href="/${name}">`)
    .join('');
}

/** Font faces that prerendered text needs, inlined because its style sheets arrive with the scripts. */
function fontFaces(bundle: Rolldown.OutputBundle): string {
  const sheets = Object.values(bundle).flatMap((file) =>
    file.type === 'asset' && file.fileName.endsWith('.css') ? [file.source.toString()] : [],
  );
  const named = (name: string) => {
    const faces = sheets.flatMap((text) => text.match(new RegExp(`@font-face\\s*\\{[^}]*${name}[^}]*\\}`, 'g')) ?? []);
    if (!faces[0]) throw new Error(`no font face of ${name}`);
    return faces;
  };
  return [named('inter-latin-wght-normal')[0], ...named('Inter by')].join('');
}

/**
 * Takes the style elements out of rendered HTML, where Emotion writes one before every element, and joins them for the
 * document's head, each rule once, in the form that Emotion's cache reads in the browser.
 */
function withoutStyles(rendered: string): { styles: string; html: string } {
  const globals = new Map<string, string>();
  const rules = new Map<string, string>();
  const html = rendered.replace(
    /<style data-emotion="(css|css-global) ([^"]+)">(.*?)<\/style>/gs,
    (_all, kind: string, id: string, css: string) => {
      (kind === 'css' ? rules : globals).set(id, css);
      return '';
    },
  );
  const style = (name: string, css: string) => `<style data-emotion="${name}">${css}</style>`;
  const styles =
    [...globals].map(([id, css]) => style(`css-global ${id}`, css)).join('') +
    (rules.size > 0 ? style(`css ${[...rules.keys()].join(' ')}`, [...rules.values()].join('')) : '');
  return { styles, html };
}

/** Builds the module that renders pages for Node, and loads it. */
async function renderers(root: string, entry: string): Promise<Record<string, () => string>> {
  const outDir = join(root, 'node_modules', '.prerender');
  try {
    await build({
      configFile: false,
      root,
      logLevel: 'warn',
      plugins: [react()],
      define: { 'process.env.NODE_ENV': '"production"' },
      ssr: { noExternal: true },
      build: {
        ssr: entry,
        outDir,
        emptyOutDir: true,
        copyPublicDir: false,
        rolldownOptions: { output: { entryFileNames: 'prerender.mjs', codeSplitting: false } },
      },
    });
    return (await import(pathToFileURL(join(outDir, 'prerender.mjs')).href)) as Record<string, () => string>;
  } finally {
    await rm(outDir, { recursive: true, force: true });
  }
}
