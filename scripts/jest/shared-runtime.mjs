import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const SPEC = /\.(?:spec|int-spec)\.ts$/;

/**
 * Modules that the test files of one worker share. Keys are paths (CommonJS), URLs (ES modules), or Jest's own names.
 */
const kept = { cjs: new Map(), esm: new Map(), sourceMaps: new Map() };

/**
 * Jest's runtime, which in an environment of `sharedEnvironment` loads the modules of packages and of the product once
 * per worker instead of once per test file. Loading them anew, and running code that is not yet compiled, took half of
 * the suite's processor time. Test files and modules under `test/` are still loaded for each file, as are mocks, spies,
 * timers and Jest itself. A test file must therefore restore what it changes in a module of the product. A file that
 * needs separate modules has `@jest-environment node` in its first comment.
 */
export default class SharedRuntime extends JestRuntime {
  constructor(...args) {
    super(...args);
    if (!this._environment.sharesModules) return;
    this.registries.moduleRegistry = kept.cjs;
    this.registries.esModuleRegistry = kept.esm;
    this.transformCache.sourceMaps = kept.sourceMaps;
  }

  teardown() {
    if (!this._environment.sharesModules) {
      super.teardown();
      return;
    }
    this.restoreAllMocks();
    const staysLoaded = this.#isKept();
    for (const registry of [kept.cjs, kept.esm])
      for (const key of registry.keys()) if (!staysLoaded(key)) registry.delete(key);
    this.registries.internalModuleRegistry.clear();
    this.fileCache.clear();
    this.transformCache.clear();
    // A module that this file loaded first may import further modules later, while another file runs.
    this.enterTestCode();
  }

  #isKept() {
    const folders = ['src', 'migrations'].map((name) => join(this._config.rootDir, name) + sep);
    const prefixes = folders.flatMap((folder) => [folder, pathToFileURL(folder).href]);
    return (key) =>
      key.startsWith('node:') ||
      key.includes('/node_modules/') ||
      (prefixes.some((prefix) => key.startsWith(prefix)) && !SPEC.test(key));
  }
}
