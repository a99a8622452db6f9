import { TestEnvironment } from 'jest-environment-node';
import { sharedEnvironment } from '../../scripts/jest/shared-environment.mjs';

const MARK = Symbol.for('staffcast.tests.exit');

// Runs when a worker's last handle is closed. The heap holds the modules of all test files, so freeing it takes half a
// second on a busy machine. Jest would report that as a leak, so the worker is killed instead.
if (process.send && !process[MARK]) {
  process[MARK] = true;
  process.once('beforeExit', () => process.kill(process.pid, 'SIGKILL'));
}

export default sharedEnvironment(TestEnvironment);
