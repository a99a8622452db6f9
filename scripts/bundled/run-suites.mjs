import { repeatFailures } from '../lib/repeats.mjs';
import { shortPath } from '../lib/results.mjs';
import { openRunFolder } from '../lib/run-folder.mjs';
import { say } from '../lib/say.mjs';
import { FILE_LIMIT_MINUTES, inGroups, RUN_LIMIT_MINUTES } from '../lib/suites.mjs';
import { withServices } from './services.mjs';
import { runSuite } from './suite.mjs';

/**
 * Runs the suites in order against throw-away services, some of them in parallel with another one. Then, unless
 * `repeats` is false, runs each file that failed again, by itself and against fresh services.
 * @param {object[]} options.suites as `SUITES` lists them
 * @param {string[]} options.passed arguments for the suite's runner
 * @param {Promise<'ended'>} options.ended resolves when the run is to stop
 * @param {{ chromium?: string, nginx?: string }} options.programs paths; a suite whose program is missing is skipped
 * @param {boolean} options.isSilent prints nothing
 * @param {number} options.limitMinutes after this time, running suites are stopped and fail, and nothing else is
 * started
 * @param {() => number} options.clock current time in ms, by which `limitMinutes` is measured
 * @returns the results, and what passed only when repeated, in the form that `repeatFailures` returns
 * @throws {import('../lib/say.mjs').CliError} if the services ended or the run was stopped
 */
export async function runSuites(options) {
  const { suites, passed = [], repeats = true, ended = new Promise(() => {}), programs = {}, isSilent } = options;
  const { limitMinutes = RUN_LIMIT_MINUTES, clock = Date.now } = options;
  const end = clock() + limitMinutes * 60_000;
  const minutesLeft = () => (end - clock()) / 60_000;
  const folder = await openRunFolder();
  const serviced = (needed, work) =>
    withServices({ needed, ended, folder: folder.path }, (run, env) =>
      work(run, { ...env, ...settingsOf(programs), TMPDIR: folder.path }),
    );
  try {
    const results = await serviced(
      suites.some((suite) => suite.services),
      (run, env) => runInGroups(run, suites, env, { reports: folder.path, passed, programs, isSilent, minutesLeft }),
    );
    if (!repeats) return { results, saved: [], tooMany: 0 };
    return await repeatFailures(results, ({ suite: name, file }) => {
      const suite = suites.find((one) => one.name === name);
      const title = `${name}${file ? `: ${shortPath(file)}` : ''}`;
      if (minutesLeft() <= 0) {
        if (!isSilent) say(`\nNot run again: ${title}. The run has taken ${limitMinutes} minutes.`);
        return undefined;
      }
      if (!isSilent) say(`\nAgain, by itself: ${title}`);
      const limit = Math.min(file ? FILE_LIMIT_MINUTES : suite.limitMinutes, minutesLeft());
      return serviced(suite.services, (run, env) =>
        runSuite(run, suite, env, { reports: folder.path, passed, isSilent, only: file, limitMinutes: limit }),
      );
    });
  } finally {
    await folder.close();
  }
}

const settingsOf = ({ chromium, nginx }) => ({
  ...(chromium ? { CHROMIUM_PATH: chromium } : {}),
  ...(nginx ? { NGINX_PATH: nginx } : {}),
});

async function runInGroups(run, suites, env, { programs, minutesLeft, ...options }) {
  const inTurn = async (list, more) => {
    const results = [];
    for (const suite of list) {
      if (run.stopping) break;
      const limitMinutes = Math.min(suite.limitMinutes, minutesLeft());
      results.push(
        withoutProgram(suite, programs) ?? (await runSuite(run, suite, env, { ...options, ...more, limitMinutes })),
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
  return results;
}

/** The result of a suite whose program is not installed here, and a message that says how to get it. */
function withoutProgram(suite, { chromium, nginx }) {
  const skipped = (note, message) => {
    say(`\n${message}`);
    return { suite: suite.name, passed: 0, failed: 0, skipped: 1, seconds: 0, files: [], note };
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
