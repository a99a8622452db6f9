import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from '../lib/files.mjs';
import { ROOT } from '../lib/paths.mjs';
import { fromJest, withExit } from '../lib/results.mjs';
import { withBin } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { startProcess } from '../../backend/embedded/processes/managed-process.ts';

/** Of a suite beside which others run, as `nice` counts. */
const PRIORITY_BESIDE = 5;
const LIMIT_MS = 40 * 60_000;

/**
 * Runs one suite and reads its results; a suite without results is a failure. Its output is live, or where it is `isQuiet`, printed at
 * its end. One that `yields` gets the processor time that others leave.
 */
export async function runSuite(run, suite, env, { reports, passed, isQuiet = false, yields = false }) {
  const title = `\n── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`;
  if (!isQuiet) say(title);
  const started = Date.now();
  const report = join(reports, `${suite.name}.json`);
  const part = startProcess(run.context, {
    name: `suite-${suite.name}`,
    command: process.execPath,
    args: argsOf(suite, report, passed),
    passThrough: !isQuiet,
    cwd: join(ROOT, suite.cwd),
    env: withBin(env),
  });
  if (yields) lowerPriority(part.pid);
  const ended = new AbortController();
  const { code, signal } = await Promise.race([part.exited, overtime(part, ended.signal)]);
  ended.abort();
  if (isQuiet) say(`${title}\n${part.output()}`);
  const counts = withExit(countsOf(suite, report, code), { code, signal });
  return { suite: suite.name, ...counts, seconds: (Date.now() - started) / 1000 };
}

/** Processes are weighed within their session, and sessions against each other, where the kernel groups them so (autogroup). */
function lowerPriority(pid) {
  try {
    setPriority(pid, PRIORITY_BESIDE);
    writeFileSync(`/proc/${pid}/autogroup`, String(PRIORITY_BESIDE));
  } catch {
    // The others then have an equal share.
  }
}

function argsOf(suite, report, passed) {
  const command = (suite.command ?? []).map((word) =>
    /^(node_modules|scripts)\//.test(word) ? join(ROOT, word) : word,
  );
  if (suite.kind === 'jest') return [...command, '--json', `--outputFile=${report}`, ...passed];
  if (suite.kind === 'script') return [...command, ...passed];
  const reporter = join(ROOT, 'scripts', 'lib', 'count-reporter.mjs');
  return [
    '--test',
    '--test-timeout=180000',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`,
    `--test-reporter-destination=${report}`,
    ...passed,
    ...suite.files,
  ];
}

function countsOf(suite, report, code) {
  if (suite.kind === 'script')
    return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
  try {
    const json = JSON.parse(readText(report) ?? '');
    return suite.kind === 'jest' ? fromJest(json) : json;
  } catch {
    return undefined;
  }
}

/** Never settles where the suite ends in time. */
async function overtime(part, ended) {
  await sleep(LIMIT_MS, undefined, { ref: false, signal: ended }).catch(() => new Promise(() => {}));
  say(`\n${part.name} takes longer than ${LIMIT_MS / 60_000} minutes: stopped.`);
  await part.stop(2_000);
  return { code: 1, signal: null };
}
