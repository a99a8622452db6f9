import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { readText } from '../lib/files.mjs';
import { ROOT } from '../lib/paths.mjs';
import { fromJest, withExit } from '../lib/results.mjs';
import { withBin } from '../lib/run.mjs';
import { say } from '../lib/say.mjs';
import { startPart } from '../../backend/embedded/part.ts';

const LIMIT_MS = 40 * 60_000;

/** Runs one suite with live output and reads its numbers; one that leaves none is a failure. */
export async function runSuite(run, suite, env, { reports, passed }) {
  say(`\n── ${suite.name} ${'─'.repeat(60 - suite.name.length)}`);
  const started = Date.now();
  const report = join(reports, `${suite.name}.json`);
  const part = startPart(run.around, {
    name: `suite-${suite.name}`, command: process.execPath, args: argsOf(suite, report, passed), passThrough: true,
    cwd: join(ROOT, suite.cwd), env: withBin(env),
  });
  const ended = new AbortController();
  const { code, signal } = await Promise.race([part.exited, overtime(part, ended.signal)]);
  ended.abort();
  const counts = withExit(countsOf(suite, report, code), { code, signal });
  return { suite: suite.name, ...counts, seconds: (Date.now() - started) / 1000 };
}

function argsOf(suite, report, passed) {
  const command = (suite.command ?? []).map((word) => (/^(node_modules|scripts)\//.test(word) ? join(ROOT, word) : word));
  if (suite.kind === 'jest') return [...command, '--json', `--outputFile=${report}`, ...passed];
  if (suite.kind === 'script') return [...command, ...passed];
  const reporter = join(ROOT, 'scripts', 'lib', 'count-reporter.mjs');
  return ['--test', '--test-timeout=180000', '--test-reporter=spec', '--test-reporter-destination=stdout',
    `--test-reporter=${reporter}`, `--test-reporter-destination=${report}`, ...passed, ...suite.files];
}

function countsOf(suite, report, code) {
  if (suite.kind === 'script') return code === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 };
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
