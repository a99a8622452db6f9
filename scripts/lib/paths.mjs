import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** Where the bootstrap keeps its stamps and caches; goes away with node_modules. */
export const STATE_DIR = join(ROOT, 'node_modules', '.staffcast');

/** The folder of the installed commands, the bundled Node among them. */
export const BIN_DIR = join(ROOT, 'node_modules', '.bin');

/** The Node that the npm package `node` brings. */
export const BUNDLED_NODE = join(BIN_DIR, process.platform === 'win32' ? 'node.cmd' : 'node');
