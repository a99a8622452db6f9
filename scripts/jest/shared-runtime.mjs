import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const SPEC = /\.(?:spec|int-spec)\.ts$/;

/** What the test files of one worker share. Keys are paths (CommonJS), URLs (ES modules), or names of Jest's own. */
const kept = { cjs: new Map(), esm: new Map(), sourceMaps: new Map() };

/**
 * Jest's runtime, but in an environment of `sharedEnvironment` a worker loads the modules of the packages and of the
 * product once, not once for each test file: loading them anew, and running code that is not compiled yet, took half of
 * the processor time of the suite. Test files and what lies under `test/` are loaded for each file, as are mocks,
 * spies, timers and Jest itself. So a test file puts back what it changes in a module of the product. A file that needs
 * modules of its own says `@jest-environment node` in its first comment.
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
    // A module that this file was the first to load may import others later, while another file runs.
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
