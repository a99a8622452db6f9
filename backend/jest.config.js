const swc = {
  jsc: {
    target: 'es2022',
    parser: { syntax: 'typescript', decorators: true },
    keepClassNames: true,
    transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
  },
  module: { type: 'es6' },
  sourceMaps: 'inline',
};

export default {
  testEnvironment: '<rootDir>/test/environment.js',
  runtime: '<rootDir>/../scripts/jest/shared-runtime.mjs',
  roots: ['<rootDir>/src', '<rootDir>/test'],
  modulePathIgnorePatterns: ['walls-fixture'],
  testRegex: ['\\.spec\\.ts$', '\\.int-spec\\.ts$'],
  extensionsToTreatAsEsm: ['.ts'],
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  transform: { '^.+\\.ts$': ['@swc/jest', swc] },
  setupFiles: ['<rootDir>/test/env.js'],
  // The specs wait more than they compute: two cores carry three of them.
  maxWorkers: 3,
  workerIdleMemoryLimit: '700MB',
  testTimeout: 300_000,
};
