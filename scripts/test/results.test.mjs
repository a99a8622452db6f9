import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLine, fromJest, table, withExit } from '../lib/results.mjs';
import { needsBuild, selectSuites } from '../lib/suites.mjs';

const result = (passed, failed, skipped) => ({ suite: 'x', passed, failed, skipped, seconds: 1 });
const exit = (code) => ({ code, signal: null });

test('the closing line names skipped tests only where there are some', () => {
  assert.equal(closingLine([result(2, 0, 0), result(3, 1, 0)]), '5 passed, 1 failed');
  assert.equal(closingLine([result(2, 0, 0), result(0, 0, 1)]), '2 passed, 0 failed, 1 skipped');
});

test('a spec file that could not run, a bad exit and an empty suite are failures', () => {
  const json = { numPassedTests: 4, numFailedTests: 0, numRuntimeErrorTestSuites: 1, numPendingTests: 2, numTodoTests: 1 };
  assert.deepEqual(fromJest(json), { passed: 4, failed: 1, skipped: 3 });
  assert.equal(withExit({ passed: 4, failed: 0, skipped: 0 }, exit(1)).failed, 1);
  assert.equal(withExit({ passed: 4, failed: 2, skipped: 0 }, exit(1)).failed, 2);
  assert.equal(withExit({ passed: 0, failed: 0, skipped: 0 }, exit(0)).failed, 1);
  assert.equal(withExit({ passed: 1, failed: 0, skipped: 0 }, exit(0)).failed, 0);
  assert.match(withExit(undefined, { code: null, signal: 'SIGKILL' }).note, /SIGKILL/);
});

test('the table has a line per suite', () => {
  assert.equal(table([result(2, 0, 0), { ...result(0, 1, 0), note: 'no results' }]).split('\n').length, 3);
});

test('suites are chosen by name, further arguments go to a single one', () => {
  assert.deepEqual(selectSuites(['frontend']).suites.map((suite) => suite.name), ['frontend']);
  assert.deepEqual(selectSuites(['backend', '-t', 'sends']).passed, ['-t', 'sends']);
  assert.throws(() => selectSuites(['nonsense']), /Unknown suite: nonsense/);
  assert.equal(needsBuild(['boot', 'frontend']), false);
  assert.equal(needsBuild([]), true);
});
