import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..', '..');
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

/** Set by the start script for its child processes; not a setting of the operator. */
const INTERNAL = new Set(['STAFFCAST_EMBEDDED', 'MAILBOX_URL']);

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
});
