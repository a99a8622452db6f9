import { rmSync, writeFileSync } from 'node:fs';
import { loadavg, setPriority } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from '../lib/files.mjs';
import { ROOT, STATE_DIR } from '../lib/paths.mjs';
import { fromReport, fromScript, readReport } from '../lib/results.mjs';
import { withBin } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { optionsOnly } from '../lib/suites.mjs';
import { startProcess } from '../../backend/embedded/processes/managed-process.ts';

/**
 * Jest's cache. It lies outside the run's temporary folder, which is removed at the end, so that the next run can use
 * the cache.
 */
const JEST_CACHE = join(STATE_DIR, 'jest');
/** Niceness of a suite that runs in parallel with others. */
const BACKGROUND_NICENESS = 5;

/**
 * Runs one suite, or only its file `only`, and reads the results. A suite without results fails, and so does one that
 * was stopped after `limitMinutes`. Its output is printed live; with `isQuiet` at the end of the suite; with `isSilent`
 * not at all. A suite that `yields` gets only the processor time that others leave.
 * @returns {Promise<import('../lib/results.mjs').Result>}
 */
export async function runSuite(run, suite, env, options) {
  const { reports, passed, only, limitMinutes, isSilent = false, isQuiet = isSilent, yields = false } = options;
  const title = `\n── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`;
  if (!isQuiet) say(title);
  const started = Date.now();
  const report = join(reports, `${suite.name}.jsonl`);
  rmSync(report, { force: true });
  // With NODE_TEST_CONTEXT set, a `node --test` inside a test of this runner would do nothing.
  const { NODE_TEST_CONTEXT: _, ...outside } = env;
  const part = startProcess(run.context, {
    name: `suite-${suite.name}`,
    command: process.execPath,
    args: argsOf(suite, report, passed, only),
    passThrough: !isQuiet,
    cwd: resolve(ROOT, suite.cwd),
    env: withBin({ ...outside, TEST_REPORT: report }),
  });
  if (yields) lowerPriority(part.pid);
  const exit = await exitWithin(limitMinutes, part);
  // Stops processes that the runner left behind if it was killed.
  await part.stop(2_000);
  run.forget(part);
  if (isQuiet && !isSilent) say(`${title}\n${part.output()}`);
  const counts = suite.kind === 'script' ? fromScript(exit) : fromReport(readReport(readText(report)), exit);
  return { suite: suite.name, ...counts, seconds: (Date.now() - started) / 1000, load: loadavg()[0] };
}

/**
 * Also sets the niceness of the process's session. Linux may weigh sessions against each other (autogroup), and
 * processes only within their session.
 */
function lowerPriority(pid) {
  try {
    setPriority(pid, BACKGROUND_NICENESS);
    writeFileSync(`/proc/${pid}/autogroup`, String(BACKGROUND_NICENESS));
  } catch {
    // The suite then gets an equal share of the processor.
  }
}

function argsOf(suite, report, passed, only) {
  const command = (suite.command ?? []).map((word) =>
    /^(node_modules|scripts)\//.test(word) ? join(ROOT, word) : word,
  );
  const reporter = (...path) => join(ROOT, 'scripts', ...path);
  if (suite.kind === 'script') return [...command, ...passed];
  if (suite.kind === 'jest') {
    const reporters = ['--reporters=default', `--reporters=${reporter('jest', 'results-reporter.mjs')}`];
    const selected = only ? [...optionsOnly(passed), '--runInBand', '--runTestsByPath', only] : passed;
    // Jest takes all words after `--reporters` as reporters, so the reporters come last.
    return [...command, ...selected, `--cacheDirectory=${JEST_CACHE}`, ...reporters];
  }
  const options = optionsOnly(passed);
  const named = passed.filter((word) => !options.includes(word));
  return [
    '--test',
    '--test-timeout=180000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter('lib', 'node-reporter.mjs')}`,
    `--test-reporter-destination=${report}`,
    ...options,
    ...(only ? [only] : named.length > 0 ? named : suite.files),
  ];
}

/** How a suite's process ended. A process that takes longer than its limit is stopped. */
async function exitWithin(limitMinutes, part) {
  const done = new AbortController();
  const limit = sleep(Math.max(0, limitMinutes) * 60_000, 'overtime', { ref: false, signal: done.signal });
  const first = await Promise.race([part.exited, limit]);
  done.abort();
  // Aborting makes the timer's promise reject.
  limit.catch(() => {});
  if (first !== 'overtime') return first;
  say(`\n${part.name} takes longer than ${limitMinutes.toFixed(1)} minutes: stopped.`);
  await part.stop(2_000);
  return { code: 1, signal: null, overtime: true };
}
