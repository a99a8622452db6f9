// `npm test`, second stage: throw-away services, the suites one after another, one closing line.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { findChromium } from '../lib/chromium.mjs';
import { STATE_DIR } from '../lib/paths.mjs';
import { findNginx } from '../lib/nginx.mjs';
import { closingLine, table } from '../lib/results.mjs';
import { complain, say } from '../lib/say.mjs';
import { selectSuites } from '../lib/suites.mjs';
import { onEnd } from '../../backend/embedded/ending.ts';
import { withServices } from './services.mjs';
import { runSuite } from './suite.mjs';

const ended = onEnd().then(() => 'ended');
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

/** Runs the suites in order and prints the outcome; gives the exit code. */
async function runAll(run, env) {
  const chromium = findChromium();
  const nginx = findNginx();
  const results = [];
  for (const suite of suites) {
    if (suite.browser && !chromium) {
      say('\nBrowser journeys skipped: no Chromium was found. Get one with `apt-get install chromium`, or set CHROMIUM_PATH.');
      results.push({ suite: suite.name, passed: 0, failed: 0, skipped: 1, seconds: 0, note: 'no Chromium' });
      continue;
    }
    if (suite.nginx && !nginx) {
      say('\nThe tests behind a load balancer skipped: no nginx was found. Get one with `apt-get install nginx-light`, or set NGINX_PATH.');
      results.push({ suite: suite.name, passed: 0, failed: 0, skipped: 1, seconds: 0, note: 'no nginx' });
      continue;
    }
    if (run.stopping) break;
    results.push(await runSuite(run, suite, { ...env, ...(chromium ? { CHROMIUM_PATH: chromium } : {}), ...(nginx ? { NGINX_PATH: nginx } : {}) }, { reports, passed }));
  }
  if (run.stopping) return 1;
  say(`\n${table(results)}\n`);
  say(closingLine(results));
  return results.some((result) => result.failed > 0) ? 1 : 0;
}
