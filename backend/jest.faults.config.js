import base from './jest.config.js';

/** Real processes that are killed, halted and cut off; FAULT_SEEDS says how often. `npm test` runs those marked [short], once. */
export default {
  ...base,
  testEnvironment: 'node',
  roots: ['<rootDir>/test/faults'],
  testRegex: ['\\.fault-spec\\.ts$'],
  maxWorkers: 1,
  workerIdleMemoryLimit: undefined,
  testTimeout: 900_000,
  forceExit: true,
};
