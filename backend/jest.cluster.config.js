import base from './jest.config.js';

/** Whole processes behind a real load balancer; one file after another. */
export default {
  ...base,
  testEnvironment: 'node',
  roots: ['<rootDir>/test/cluster'],
  testRegex: ['\\.cluster-spec\\.ts$'],
  maxWorkers: 1,
  workerIdleMemoryLimit: undefined,
  testTimeout: 240_000,
};
