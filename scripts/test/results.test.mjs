import assert from 'node:assert/strict';
import { test } from 'node:test';
import { closingLine, failures, fromReport, fromScript, readReport, table } from '../lib/results.mjs';
import { inGroups, needsBuild, optionsOnly, selectSuites } from '../lib/suites.mjs';

const result = (passed, failed, skipped) => ({ suite: 'x', passed, failed, skipped, seconds: 1, files: [] });
const exit = (code) => ({ code, signal: null });
const file = (passed, failed, found = []) => ({
  type: 'file',
  file: '/x/backend/test/a.int-spec.ts',
  passed,
  failed,
  skipped: 0,
  failures: found,
  load: 1,
});
const report = (...records) => readReport(records.map((record) => JSON.stringify(record)).join('\n'));
const END = { type: 'end' };

test('the closing line names skipped tests only where there are some', () => {
  assert.equal(closingLine([result(2, 0, 0), result(3, 1, 0)]), '5 passed, 1 failed');
  assert.equal(closingLine([result(2, 0, 0), result(0, 0, 1)]), '2 passed, 0 failed, 1 skipped');
});

test('a bad exit, an incomplete report and an empty suite are failures', () => {
  const failed = (records, ending) => fromReport(report(...records), ending).failed;
  assert.equal(failed([file(4, 0), END], exit(0)), 0);
  assert.equal(failed([file(4, 0), END], exit(1)), 1);
  assert.equal(failed([file(4, 2), END], exit(1)), 2);
  assert.equal(failed([file(4, 0)], exit(0)), 1);
  assert.equal(failed([END], exit(0)), 1);
  assert.equal(failed([], exit(0)), 1);
  assert.match(fromReport(readReport(undefined), { code: null, signal: 'SIGKILL' }).note, /SIGKILL/);
  assert.equal(fromScript(exit(1)).failed, 1);
  assert.equal(fromScript(exit(0)).passed, 1);
});

test('a suite that is stopped at its limit is a failure and names the files that ran then', () => {
  const started = { type: 'start', file: '/x/backend/test/hangs.int-spec.ts' };
  const stopped = fromReport(report(file(4, 0), started), { code: 1, signal: null, overtime: true });
  assert.equal(stopped.failed, 1);
  assert.match(
    failures([{ suite: 'backend', ...stopped }]),
    /backend: stopped at its limit during .*hangs.int-spec.ts/,
  );
});

test('the half line of a killed runner is left out', () => {
  assert.equal(readReport(`${JSON.stringify(file(4, 0))}\n{"type":"fi`).files.length, 1);
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

test('what fails is repeated unless --no-repeat is given; a repeat keeps the options and selects its own file', () => {
  assert.equal(selectSuites([]).repeats, true);
  assert.deepEqual(selectSuites(['backend', '--no-repeat', 'lists']).passed, ['lists']);
  assert.equal(selectSuites(['--no-repeat']).repeats, false);
  assert.deepEqual(optionsOnly(['test/lists', '-t', 'a list', '--verbose']), ['-t', 'a list', '--verbose']);
});

test('a suite runs beside another only where that one runs too', () => {
  const names = (args) =>
    inGroups(selectSuites(args).suites).map(({ suite, beside }) =>
      [suite, ...beside].map(({ name }) => name).join(' '),
    );
  assert.ok(names([]).includes('frontend boot cluster faults'));
  assert.deepEqual(names(['boot', 'backend', 'cluster']), ['backend', 'boot', 'cluster']);
});

test('failed tests are named at the end', () => {
  const found = [{ name: 'a send goes out', message: 'expected 1\n  got 2' }];
  const said = failures([
    { suite: 'backend', ...fromReport(report(file(1, 1, found), END), exit(1)) },
    result(1, 0, 0),
  ]);
  assert.match(said, /FAILED in backend: backend\/test\/a.int-spec.ts › a send goes out\n {4}expected 1\n {6}got 2\n/);
});
