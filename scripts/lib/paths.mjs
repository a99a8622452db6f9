import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository's root. */
export const ROOT = fileURLToPath(new URL('../../', import.meta.url)).replace(/[\\/]$/, '');

/** Stamps and caches of the bootstrap; removed with node_modules. */
export const STATE_DIR = join(ROOT, 'node_modules', '.staffcast');

/** Folder of the installed commands, including the bundled Node. */
export const BIN_DIR = join(ROOT, 'node_modules', '.bin');

/**
 * The Node that the npm package `node` installs. Its version is the one that package.json names, whatever version the
 * machine has.
 */
export const BUNDLED_NODE = join(BIN_DIR, process.platform === 'win32' ? 'node.cmd' : 'node');
