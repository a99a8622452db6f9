import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A file of the repository, looked for upwards from here: the depth differs between sources, build and image. */
export function findUp(relative: string): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const path = join(folder, relative);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) return undefined;
  }
}
