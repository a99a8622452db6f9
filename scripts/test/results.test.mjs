import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLine, failures, fromJest, table, withExit } from '../lib/results.mjs';
import { inGroups, needsBuild, selectSuites } from '../lib/suites.mjs';

const result = (passed, failed, skipped) => ({ suite: 'x', passed, failed, skipped, seconds: 1 });
const exit = (code) => ({ code, signal: null });

test('the closing line names skipped tests only where there are some', () => {
  assert.equal(closingLine([result(2, 0, 0), result(3, 1, 0)]), '5 passed, 1 failed');
  assert.equal(closingLine([result(2, 0, 0), result(0, 0, 1)]), '2 passed, 0 failed, 1 skipped');
});

test('a spec file that could not run, a bad exit and an empty suite are failures', () => {
  const json = {
    numPassedTests: 4,
    numFailedTests: 0,
    numRuntimeErrorTestSuites: 1,
    numPendingTests: 2,
    numTodoTests: 1,
    testResults: [],
  };
  assert.deepEqual(fromJest(json), { passed: 4, failed: 1, skipped: 3, failures: [] });
  assert.equal(withExit({ passed: 4, failed: 0, skipped: 0 }, exit(1)).failed, 1);
  assert.equal(withExit({ passed: 4, failed: 2, skipped: 0 }, exit(1)).failed, 2);
  assert.equal(withExit({ passed: 0, failed: 0, skipped: 0 }, exit(0)).failed, 1);
  assert.equal(withExit({ passed: 1, failed: 0, skipped: 0 }, exit(0)).failed, 0);
  assert.match(withExit(undefined, { code: null, signal: 'SIGKILL' }).note, /SIGKILL/);
});

test('the table has a line per suite', () => {
  assert.equal(table([result(2, 0, 0), { ...result(0, 1, 0), note: 'no results' }]).split('\n').length, 3);
});

test('suites are selected by name; further arguments go to a single one', () => {
  assert.deepEqual(
    selectSuites(['frontend']).suites.map((suite) => suite.name),
    ['frontend'],
  );
  assert.deepEqual(selectSuites(['backend', '-t', 'sends']).passed, ['-t', 'sends']);
  assert.throws(() => selectSuites(['nonsense']), /Unknown suite: nonsense/);
  assert.equal(needsBuild(['boot', 'frontend']), false);
  assert.equal(needsBuild([]), true);
});

test('a suite runs beside another only where that one runs too', () => {
  const names = (args) =>
    inGroups(selectSuites(args).suites).map(({ suite, beside }) =>
      [suite, ...beside].map(({ name }) => name).join(' '),
    );
  assert.ok(names([]).includes('frontend boot cluster faults'));
  assert.deepEqual(names(['boot', 'backend', 'cluster']), ['backend', 'boot', 'cluster']);
});

test('failed tests are named at the end, and files that could not run', () => {
  const json = {
    testResults: [
      {
        name: '/x/backend/test/a.int-spec.ts',
        status: 'failed',
        assertionResults: [
          { status: 'failed', fullName: 'a send goes out', failureMessages: ['expected 1\n  got 2'] },
          { status: 'passed', fullName: 'a send stops', failureMessages: [] },
        ],
      },
      { name: '/x/backend/test/b.int-spec.ts', status: 'failed', message: 'SyntaxError', assertionResults: [] },
    ],
  };
  const said = failures([{ suite: 'backend', failures: fromJest(json).failures }, result(1, 0, 0)]);
  assert.match(said, /FAILED in backend: backend\/test\/a.int-spec.ts › a send goes out\n {4}expected 1\n {6}got 2\n/);
  assert.match(said, /b.int-spec.ts › did not run\n {4}SyntaxError/);
  assert.doesNotMatch(said, /stops/);
});
