import { TestEnvironment } from 'jest-environment-node';
import { sharedEnvironment } from '../../scripts/jest/shared-environment.mjs';

const MARK = Symbol.for('staffcast.tests.exit');

// Called when a worker's last handle is closed. Taking down a heap that holds the modules of every test file then lasts half a
// second on a busy machine, and Jest calls that a leak; so the worker ends without.
if (process.send && !process[MARK]) {
  process[MARK] = true;
  process.once('beforeExit', () => process.kill(process.pid, 'SIGKILL'));
}

export default sharedEnvironment(TestEnvironment);
