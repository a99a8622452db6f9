/** Component tests: SWC, ESM, jsdom with Node's own fetch and streams. Run with --experimental-vm-modules on the bundled Node. */
export default {
  testEnvironment: '<rootDir>/test/environment.js',
  extensionsToTreatAsEsm: ['.ts', '.tsx'],
  roots: ['<rootDir>/src', '<rootDir>/test'],
  testMatch: ['**/*.test.ts', '**/*.test.tsx'],
  moduleFileExtensions: ['tsx', 'ts', 'mjs', 'js', 'cjs', 'json'],
  moduleNameMapper: {
    '\\.css$': '<rootDir>/test/style-stub.js',
    // Its `main` is CommonJS, whose default export Jest wraps once more; the bundler takes its `module`, and so do the tests.
    '^@intevation/tiptap-extension-office-paste$':
      '<rootDir>/../node_modules/@intevation/tiptap-extension-office-paste/dist/index.js',
  },
  transform: {
    '^.+\\.tsx?$': [
      '@swc/jest',
      {
        jsc: {
          target: 'es2024',
          parser: { syntax: 'typescript', tsx: true },
          transform: { react: { runtime: 'automatic' } },
        },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  setupFilesAfterEnv: ['<rootDir>/test/setup.ts'],
  maxWorkers: 2,
  workerIdleMemoryLimit: '600MB',
  // A busy machine takes long for what a person types, letter by letter.
  testTimeout: 120000,
};
