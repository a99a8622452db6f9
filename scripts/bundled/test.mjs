// `npm test`, on the bundled Node: starts throw-away services, runs the suites one after another, repeats each failed
// file by itself, and prints a closing line.
import { join } from 'node:path';
import { writeWhole } from '../lib/files.mjs';
import { machineLine } from '../lib/machine.mjs';
import { STATE_DIR } from '../lib/paths.mjs';
import { findChromium, findNginx } from '../lib/programs.mjs';
import { savedText } from '../lib/repeats.mjs';
import { closingLine, failures, table } from '../lib/results.mjs';
import { complain, say } from '../lib/say.mjs';
import { selectSuites } from '../lib/suites.mjs';
import { stopRequested } from '../../backend/embedded/processes/signals.ts';
import { runSuites } from './run-suites.mjs';

/** Lists the tests of the last run that passed only when repeated. */
const SAVED_FILE = join(STATE_DIR, 'passed-only-when-repeated.txt');

const ended = stopRequested().then(() => 'ended');

try {
  const { suites, passed, repeats } = selectSuites(process.argv.slice(2));
  say(machineLine());
  const programs = { chromium: findChromium(), nginx: findNginx() };
  const { results, saved, tooMany } = await runSuites({ suites, passed, repeats, ended, programs });
  const text = savedText(saved);
  writeWhole(SAVED_FILE, text);
  say(`\n${failures(results)}${text && `\n${text}Written to ${SAVED_FILE}\n`}`);
  if (tooMany > 0) say(`${tooMany} test files failed: too many to be repeated one by one.\n`);
  say(`${table(results)}\n\n${machineLine()}`);
  say(closingLine(results));
  process.exitCode = results.some((result) => result.failed > 0) ? 1 : 0;
} catch (error) {
  complain(error);
  say('0 passed, 1 failed');
  process.exitCode = 1;
}
process.exit();
