import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Plugin } from 'vite';

/** Has the page fetch the fonts of every screen together with the first script, instead of after the style sheet. */
export function preloadedFonts(file: RegExp): Plugin {
  return {
    name: 'preloaded-fonts',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) =>
        Object.keys(bundle)
          .filter((name) => file.test(name) && name.endsWith('.woff2'))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          })),
    },
  };
}

/** Has the page fetch the scripts that all of these modules need together with the first one, instead of after it. */
export function preloadedShared(modules: readonly string[]): Plugin {
  return {
    name: 'preloaded-shared',
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle = {} }) => {
        const needs = (name: string, seen = new Set<string>()): Set<string> => {
          const chunk = bundle[name];
          if (chunk?.type !== 'chunk' || seen.has(name)) return seen;
          seen.add(name);
          for (const next of chunk.imports) needs(next, seen);
          return seen;
        };
        const closures = modules.map((module) => {
          const found = Object.values(bundle).find(
            (chunk) => chunk.type === 'chunk' && chunk.facadeModuleId?.endsWith(module),
          );
          if (!found) throw new Error(`no chunk of ${module}`);
          return needs(found.fileName);
        });
        const [first = new Set<string>(), ...others] = closures;
        return [...first]
          .filter((name) => others.every((closure) => closure.has(name)))
          .map((name) => ({
            tag: 'link',
            attrs: { rel: 'modulepreload', href: `/${name}`, crossorigin: '' },
            injectTo: 'head' as const,
          }));
      },
    },
  };
}

const brotli = promisify(brotliCompress);
/** The best quality takes four times as long for one percent. */
const BROTLI_QUALITY = 10;

/** Lays a brotli copy (.br) beside every script and style sheet; the server and the load balancer send it to whoever reads it. */
export function compressed(): Plugin {
  let folder = '';
  return {
    name: 'compressed',
    apply: 'build',
    writeBundle: (options) => {
      folder = options.dir ?? folder;
    },
    closeBundle: async () => {
      if (!folder) return;
      const assets = join(folder, 'assets');
      const names = (await readdir(assets)).filter((name) => /\.(js|css)$/.test(name));
      await Promise.all(
        names.map(async (name) => {
          const text = await readFile(join(assets, name));
          await writeFile(
            join(assets, `${name}.br`),
            await brotli(text, {
              params: {
                [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY,
                [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
              },
            }),
          );
        }),
      );
    },
  };
}

interface ModuleInfo {
  code: string | null;
  importedIds: readonly string[];
  dynamicallyImportedIds: readonly string[];
  importers: readonly string[];
  dynamicImporters: readonly string[];
}
interface ModuleGraph {
  getModuleInfo: (id: string) => ModuleInfo | null;
}

/** First visits of one kind: scripts that each of them needs, and a module whose lazy imports are the screens, one a visit. */
export interface VisitKind {
  always: readonly string[];
  screens?: string;
  /** Never merged with other files: only its own size counts. */
  isolated?: boolean;
  /** Screens of this kind, by their path; all of them where it is missing. */
  only?: RegExp;
}

const SHARES = ['none', 'some', 'all'] as const;
type Share = (typeof SHARES)[number];

/** Characters of source, about three times the bytes of the file; a smaller file costs more time to ask for than to receive. */
const MIN_CHUNK_CHARACTERS = 16_000;

/**
 * Joins modules that the same kinds of first visits need into one file, so that a visit fetches a few files instead of
 * dozens. A small file is joined with one that more kinds of visits need. A module that no kind always needs is left to
 * the bundler; what the `first` script needs is a file of its own.
 * @returns groups for `codeSplitting`
 */
export function groupsByVisit(first: string, kinds: Record<string, VisitKind>) {
  const here = (path: string) => join(import.meta.dirname, path);
  const closures = new Map<string, ReadonlySet<string>>();
  const closureOf = (root: string, graph: ModuleGraph): ReadonlySet<string> => {
    const known = closures.get(root);
    if (known) return known;
    const found = new Set([root]);
    for (const id of found) for (const next of graph.getModuleInfo(id)?.importedIds ?? []) found.add(next);
    closures.set(root, found);
    return found;
  };
  const visitsOf = ({ always, screens, only }: VisitKind, graph: ModuleGraph): string[][] => {
    const roots = always.map(here);
    const lazy = screens ? (graph.getModuleInfo(here(screens))?.dynamicallyImportedIds ?? []) : [];
    const shown = lazy.filter((id) => !only || only.test(id));
    return shown.length > 0 ? shown.map((screen) => [...roots, screen]) : [roots];
  };
  const names = Object.keys(kinds);
  const isolated = names.map((name) => kinds[name]!.isolated === true);
  let visits: string[][][] | undefined;
  const known = new Map<string, string | null>();
  const ownShareOf = (id: string, graph: ModuleGraph): string | null => {
    if (!known.has(id)) known.set(id, sharesOf(id, graph)?.join() ?? null);
    return known.get(id)!;
  };
  let wider: ReadonlyMap<string, string> | undefined;
  const shareOf = (id: string, graph: ModuleGraph): string | null => {
    const own = ownShareOf(id, graph);
    if (own === null) return null;
    wider ??= joinedWhereSmall(contentsOf(graph), isolated);
    return wider.get(own) ?? own;
  };
  /** What the files would hold, by share. */
  const contentsOf = (graph: ModuleGraph): Map<string, GroupContent> => {
    const found = new Map<string, GroupContent>();
    for (const id of new Set(visits!.flat(2).flatMap((root) => [...closureOf(root, graph)]))) {
      const share = ownShareOf(id, graph);
      if (!share?.includes('all')) continue;
      const content = found.get(share) ?? { size: 0, needs: new Set() };
      found.set(share, content);
      content.size += graph.getModuleInfo(id)?.code?.length ?? 0;
      for (const needed of closureOf(id, graph)) content.needs.add(ownShareOf(needed, graph) ?? share);
    }
    return found;
  };
  const sharesOf = (id: string, graph: ModuleGraph): Share[] | null => {
    visits ??= names.map((name) => visitsOf(kinds[name]!, graph));
    if (closureOf(here(first), graph).has(id)) return null;
    // What is only imported at run time has a file of its own anyway.
    const info = graph.getModuleInfo(id);
    if (info && info.dynamicImporters.length > 0 && info.importers.length === 0) return null;
    return visits.map((of) => {
      const needed = of.filter((roots) => roots.some((root) => closureOf(root, graph).has(id))).length;
      return needed === 0 ? 'none' : needed < of.length ? 'some' : 'all';
    });
  };
  let combinations: Share[][] = [[]];
  names.forEach(() => (combinations = combinations.flatMap((of) => SHARES.map((share) => [...of, share]))));
  const weight = (of: readonly Share[]) => of.reduce((sum, share) => sum + SHARES.indexOf(share), 0);
  // A group brings what its modules import, which is needed at least as widely: the wider groups take theirs first.
  const beforeAll = 2 * names.length + 1;
  const ofFirst = {
    debugName: 'first',
    name: (id: string, graph: ModuleGraph): string | null =>
      id !== here(first) && closureOf(here(first), graph).has(id) ? 'first' : null,
    priority: beforeAll,
  };
  const shared = combinations
    .filter((of) => of.includes('all'))
    .map((of) => {
      const shares = of.join();
      const name = names.filter((_, i) => of[i] !== 'none').join('-');
      return {
        debugName: `${name} (${shares})`,
        name: (id: string, graph: ModuleGraph): string | null => (shareOf(id, graph) === shares ? name : null),
        priority: weight(of),
      };
    });
  return [ofFirst, ...shared];
}

interface GroupContent {
  /** Characters of source. */
  size: number;
  /** Shares of all that its modules import. */
  needs: Set<string>;
}

/** Maps each small group to the smallest group that is loaded by at least the same visits and by everything it imports. */
function joinedWhereSmall(contents: Map<string, GroupContent>, isolated: readonly boolean[]): Map<string, string> {
  const joined = new Map<string, string>();
  const ranks = (of: string) => of.split(',').map((share) => SHARES.indexOf(share as Share));
  const weight = (of: string) => ranks(of).reduce((sum, rank) => sum + rank, 0);
  const contains = (wide: string, narrow: string) => {
    const least = ranks(narrow);
    return ranks(wide).every((rank, i) => rank >= least[i]!);
  };
  const growsIsolated = (wide: string, narrow: string) =>
    isolated.some((isIsolated, i) => isIsolated && ranks(wide)[i]! > ranks(narrow)[i]!);
  // The widest first: what the narrower ones import is settled then.
  for (const [share, { size, needs }] of [...contents].sort(([a], [b]) => weight(b) - weight(a))) {
    if (size >= MIN_CHUNK_CHARACTERS) continue;
    const [target] = [...contents.keys()]
      .filter(
        (other) => other !== share && !joined.has(other) && contains(other, share) && !growsIsolated(other, share),
      )
      .filter((other) => [...needs].every((need) => need === share || contains(joined.get(need) ?? need, other)))
      .sort((a, b) => weight(a) - weight(b));
    if (target) joined.set(share, target);
  }
  return joined;
}
