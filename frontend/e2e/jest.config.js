/**
 * Browser journeys against the whole product, started like `npm start` on free ports. Most of them share one product;
 * those that change its settings or all of its data start their own.
 */
export default {
  rootDir: '.',
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  globalSetup: './setup.ts',
  globalTeardown: './teardown.ts',
  testMatch: ['**/*.journey.ts'],
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      { jsc: { target: 'es2024', parser: { syntax: 'typescript' } }, module: { type: 'es6' }, sourceMaps: 'inline' },
    ],
  },
  maxWorkers: 3,
  testTimeout: 600_000,
};
