/** Browser journeys against the whole product as `npm start` brings it up, on free ports: most share one, and those that change its settings or all of its data have their own. */
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
