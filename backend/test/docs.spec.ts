import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Set by the start script for its child processes; not a setting of the operator. */
const INTERNAL = new Set(['STAFFCAST_EMBEDDED', 'MAILBOX_URL']);

interface Source {
  path: string;
  text: string;
}

/** All source files, by path relative to the root. */
const SOURCES: Source[] = ['backend', 'frontend', 'scripts']
  .flatMap((folder) => sourcesBelow(folder))
  .map((path) => ({ path, text: read(path) }));
const WORDS = new Set(SOURCES.flatMap(({ text }) => text.match(/\w+/g) ?? []));

function sourcesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return /^(?:node_modules|dist|coverage|\..*)$/.test(entry.name) ? [] : sourcesBelow(path);
    return /\.(?:ts|tsx|mjs|cjs)$/.test(entry.name) ? [path] : [];
  });
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Whether a name such as `MessageComposer` or `MergeTags.resolve` is declared somewhere; a member in the same file as
 * its class.
 */
function isDeclared(text: string): boolean {
  const [name, member] = text.split('.');
  const declaration = new RegExp(`(?:class|interface|type|const|function|enum) ${name}\\b`);
  return SOURCES.some(
    (source) =>
      declaration.test(source.text) &&
      (member === undefined || new RegExp(`^\\s.*\\b${member}\\b`, 'm').test(source.text)),
  );
}

describe('the documents', () => {
  it('name every setting that is read', () => {
    const folder = 'backend/src/shared/config';
    const code = readdirSync(join(ROOT, folder)).map((name) => read(join(folder, name)));
    const names = code.flatMap((text) => [
      ...text.matchAll(/(?:read\.\w+\(|(?:needed|readSecret)\(read, )'([A-Z][A-Z_]+)'/g),
    ]);
    const known = new Set(names.map(([, name]) => name!).filter((name) => !INTERNAL.has(name)));
    expect(known.size).toBeGreaterThan(30);
    const settings = read('docker/README.md');
    expect([...known].filter((name) => !new RegExp(`\\b${name}\\b`).test(settings))).toEqual([]);
  });

  it.each(['README.md', '.github/CONTRIBUTING.md'])('%s names only files and folders that exist', (name) => {
    const text = read(name);
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)].map(([, path]) => join(dirname(name), path!));
    const quoted = [...text.matchAll(/`((?:backend|frontend|scripts|docker|openapi)\/[\w./-]+)`/g)].map(
      ([, path]) => path!,
    );
    const rooms = readdirSync(join(ROOT, 'backend/src/modules')).join('|');
    const modules = [...text.matchAll(new RegExp(`\`((?:${rooms})\\/[\\w./-]*)\``, 'g'))].map(([, path]) =>
      join('backend/src/modules', path!),
    );
    const paths = [...links, ...quoted, ...modules];
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  describe.each([
    'README.md',
    'backend/docs/words.md',
    'backend/docs/tuning.md',
    'backend/docs/delivery-engine.md',
    'backend/docs/decisions.md',
  ])('%s', (name) => {
    const quoted = [...read(name).matchAll(/`([^`\n]+)`/g)].map(([, text]) => text!);

    it('quotes names of the code', () => {
      expect(quoted.length).toBeGreaterThan(20);
    });

    it('names only classes, types and functions that exist', () => {
      const names = quoted.filter((text) => /^[A-Z][a-z]\w*[A-Z]\w*(?:\.\w+)?(?:\(\))?$/.test(text));
      expect(names.filter((text) => !isDeclared(text.replace('()', '')))).toEqual([]);
    });

    it('names only tables, columns and states that exist', () => {
      const names = quoted.filter((text) => /^[a-z]+(?:_[a-z0-9]+)+(?:\.[a-z_]+)?$/.test(text));
      const missing = names.filter((text) => text.split('.').some((part) => !WORDS.has(part)));
      expect(missing).toEqual([]);
    });

    it('names only source files and folders that exist, by their full path or its end', () => {
      const names = quoted.filter((text) => /^[\w-]+(?:\/[\w.-]+)*\.tsx?$|^[a-z][\w-]+(?:\/[\w-]+)+\/?$/.test(text));
      const paths = ['', ...SOURCES.map(({ path }) => path)].join('\n');
      expect(
        names.filter((text) => !`\n${paths}`.match(new RegExp(`[\\n/]${escaped(text.replace(/\/$/, ''))}(?:\\n|/|$)`))),
      ).toEqual([]);
    });
  });
});

describe('the code', () => {
  const ours = SOURCES.filter(({ path }) => !path.includes('.gen.') && !path.includes('backend/migrations/'));

  it('has no file of more than 300 lines', () => {
    expect(ours.filter(({ text }) => text.split('\n').length > 301).map(({ path }) => path)).toEqual([]);
  });

  it('has no folder of more than 20 files', () => {
    const files = new Map<string, number>();
    for (const { path } of SOURCES) files.set(dirname(path), (files.get(dirname(path)) ?? 0) + 1);
    expect([...files].filter(([, count]) => count > 20)).toEqual([]);
  });
});
