import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runSuites } from '../bundled/run-suites.mjs';
import { savedText } from '../lib/repeats.mjs';
import { closingLine } from '../lib/results.mjs';

const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];

const PASSES = `test('passes', () => {});`;
const FAILS = `test('fails', () => { throw new Error('always'); });`;
/** Source of a test that runs `does` in its first `times` runs. It counts its runs in a file beside it. */
const untilTimes = (times, does) => `
  const fs = require('node:fs');
  test('comes round', () => {
    fs.appendFileSync(__filename + '.runs', '.');
    if (fs.readFileSync(__filename + '.runs', 'utf8').length <= ${times}) { ${does} }
  });`;
const failsFirst = (times) => untilTimes(times, `throw new Error('too early');`);
const killsItsRunnerFirst = (times) => untilTimes(times, `process.kill(process.pid, 'SIGKILL');`);

/** A suite that always passes. */
const AFTER = { name: 'after', kind: 'script', command: ['--version'], cwd: '.', limitMinutes: 5 };

/** Returns a clock. By this clock the suites begin in time, and an hour has passed when they end. */
function overAfterTheSuites() {
  const times = [0, 0];
  return () => times.shift() ?? 3_600_000;
}

/**
 * Runs the files once as a suite of Jest and once as a suite of Node's test runner, in the way `npm test` runs suites.
 */
async function runBoth(t, files, { kinds = ['jest', 'node'], suiteMinutes = 5, then = [], ...options } = {}) {
  const outcomes = [];
  for (const kind of kinds) {
    const folder = mkdtempSync(join(tmpdir(), 'staffcast-suite-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const head = kind === 'node' ? `const { test } = require('node:test');` : '';
    for (const [name, body] of Object.entries(files)) writeFileSync(join(folder, `${name}.t.cjs`), head + body);
    const config = JSON.stringify({
      rootDir: folder,
      transform: {},
      testMatch: ['**/*.t.cjs'],
      moduleFileExtensions: ['cjs', 'js'],
    });
    const planted = { name: 'planted', kind, limitMinutes: suiteMinutes };
    const suite =
      kind === 'jest'
        ? { ...planted, command: [...JEST, '--config', config, '--runInBand'], cwd: folder }
        : { ...planted, files: [join(folder, '*.t.cjs')], cwd: folder };
    const { results, saved, tooMany } = await runSuites({ suites: [suite, ...then], isSilent: true, ...options });
    outcomes.push({ kind, line: closingLine(results), saved, tooMany, text: savedText(saved), results });
  }
  return outcomes;
}

test('a test that always fails stays failed', async (t) => {
  for (const { line, saved } of await runBoth(t, { passes: PASSES, fails: FAILS })) {
    assert.equal(line, '1 passed, 1 failed');
    assert.deepEqual(saved, []);
  }
});

test('a test that fails once or twice counts as passed and is reported with its first failure', async (t) => {
  for (const times of [1, 2]) {
    for (const { line, saved, text } of await runBoth(t, { passes: PASSES, late: failsFirst(times) })) {
      assert.equal(line, '2 passed, 0 failed');
      assert.equal(saved.length, 1);
      assert.equal(saved[0].attempt, times);
      assert.match(text, /passed only when repeated: 1\n {2}planted: .*late\.t\.cjs › comes round .*load/);
      assert.match(text, /too early/);
    }
  }
});

test('a test that fails three times is failed, and one failure is not covered by another that was saved', async (t) => {
  for (const { line, saved } of await runBoth(t, { late: failsFirst(3), early: failsFirst(1) })) {
    assert.equal(line, '1 passed, 1 failed');
    assert.equal(saved.length, 1);
  }
});

test('eleven files that fail once are too many', async (t) => {
  const files = Object.fromEntries(Array.from({ length: 11 }, (_, i) => [`late-${i}`, failsFirst(1)]));
  for (const { line, tooMany } of await runBoth(t, files)) {
    assert.equal(line, '0 passed, 11 failed');
    assert.equal(tooMany, 11);
  }
});

test('nothing is repeated with --no-repeat', async (t) => {
  for (const { line } of await runBoth(t, { late: failsFirst(1) }, { repeats: false }))
    assert.equal(line, '0 passed, 1 failed');
});

test("a path and options for Jest select the suite's tests, and stay with a repeat", async (t) => {
  const files = { passes: PASSES, late: `${failsFirst(1)}; test('is not selected', () => { throw new Error(); });` };
  const options = { kinds: ['jest'], passed: ['late', '-t', 'comes round'] };
  for (const { line, saved } of await runBoth(t, files, options)) {
    assert.equal(line, '1 passed, 0 failed, 1 skipped');
    assert.equal(saved.length, 1);
  }
});

test('a suite whose process is killed is repeated whole; killed each time, it is failed', async (t) => {
  for (const { line, saved } of await runBoth(t, { passes: PASSES, kills: killsItsRunnerFirst(1) })) {
    assert.equal(line, '2 passed, 0 failed');
    assert.equal(saved.length, 1);
  }
  for (const { kind, results, saved } of await runBoth(t, { passes: PASSES, kills: killsItsRunnerFirst(9) })) {
    assert.ok(results[0].failed > 0, kind);
    assert.deepEqual(saved, []);
  }
});

test('a suite is stopped at its limit, red with the names of the files that ran, and the next one runs', async (t) => {
  const hangs = `test('hangs', () => new Promise(() => setInterval(() => {}, 1_000)), 600_000);`;
  const options = { kinds: ['jest'], suiteMinutes: 0.4, then: [AFTER] };
  for (const { results } of await runBoth(t, { hangs }, options)) {
    assert.deepEqual(
      results.map(({ suite, passed, failed }) => ({ suite, passed, failed })),
      [
        { suite: 'planted', passed: 0, failed: 1 },
        { suite: 'after', passed: 1, failed: 0 },
      ],
    );
    assert.match(results[0].note, /stopped at its limit during .*hangs\.t\.cjs/);
  }
});

test('nothing is run again once the whole run has taken its time', async (t) => {
  const files = { late: failsFirst(1) };
  for (const { line, saved } of await runBoth(t, files, { kinds: ['node'], clock: overAfterTheSuites() })) {
    assert.equal(line, '0 passed, 1 failed');
    assert.deepEqual(saved, []);
  }
});
