// `npm test`, on the bundled Node: throw-away services, the suites one after another, one closing line.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium, findNginx } from '../lib/programs.mjs';
import { STATE_DIR } from '../lib/paths.mjs';
import { closingLine, failures, table } from '../lib/results.mjs';
import { complain, say } from '../lib/say.mjs';
import { inGroups, selectSuites } from '../lib/suites.mjs';
import { stopRequested } from '../../backend/embedded/processes/signals.ts';
import { withServices } from './services.mjs';
import { runSuite } from './suite.mjs';

const ended = stopRequested().then(() => 'ended');
const { suites, passed } = selectSuites(process.argv.slice(2));
const reports = join(STATE_DIR, `reports-${process.pid}`);
mkdirSync(reports, { recursive: true });

try {
  const needed = suites.some((suite) => suite.services);
  const code = await withServices({ needed, ended }, (run, env) => runAll(run, env));
  process.exitCode = code;
} catch (error) {
  complain(error);
  say('0 passed, 1 failed');
  process.exitCode = 1;
} finally {
  rmSync(reports, { recursive: true, force: true });
}
process.exit();

/**
 * Runs the suites in order, some beside another, and prints the results.
 * @returns the exit code
 */
async function runAll(run, env) {
  const programs = { chromium: findChromium(), nginx: findNginx() };
  const settings = {
    ...env,
    ...(programs.chromium ? { CHROMIUM_PATH: programs.chromium } : {}),
    ...(programs.nginx ? { NGINX_PATH: programs.nginx } : {}),
  };
  const inTurn = async (list, options) => {
    const results = [];
    for (const suite of list) {
      if (run.stopping) break;
      results.push(
        withoutProgram(suite, programs) ?? (await runSuite(run, suite, settings, { ...options, reports, passed })),
      );
    }
    return results;
  };
  const results = [];
  for (const { suite, beside } of inGroups(suites)) {
    const [own, others] = await Promise.all([
      inTurn([suite], { yields: beside.length > 0 }),
      inTurn(beside, { isQuiet: true }),
    ]);
    results.push(...own, ...others);
  }
  if (run.stopping) return 1;
  say(`\n${failures(results)}${table(results)}\n`);
  say(closingLine(results));
  return results.some((result) => result.failed > 0) ? 1 : 0;
}

/** The result of a suite whose program is not installed here, and a message that says how to get it. */
function withoutProgram(suite, { chromium, nginx }) {
  const skipped = (note, message) => {
    say(`\n${message}`);
    return { suite: suite.name, passed: 0, failed: 0, skipped: 1, seconds: 0, note };
  };
  if (suite.browser && !chromium)
    return skipped(
      'no Chromium',
      'Browser journeys skipped: no Chromium was found. Get one with `apt-get install chromium`, or set CHROMIUM_PATH.',
    );
  if (suite.nginx && !nginx)
    return skipped(
      'no nginx',
      'The tests behind a load balancer skipped: no nginx was found. Get one with `apt-get install nginx-light`, or set NGINX_PATH.',
    );
  return undefined;
}
