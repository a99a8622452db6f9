import { beginning, shortPath } from './results.mjs';

/** So many files may pass only when repeated; more, and the machine is down or the product races. */
export const MAX_REPEATED_FILES = 10;
const MAX_ATTEMPTS = 2;

/**
 * A test file that failed, or, without `file`, a suite whose process ended badly.
 * @typedef {{ suite: string, file?: string, failures: { name: string, message: string }[], load?: number }} Repeat
 */

/**
 * What has to run again. A suite that was stopped at its limit would take it a second time, and is not repeated.
 * @param {import('./results.mjs').Result[]} results
 * @returns {Repeat[]}
 */
export function toRepeat(results) {
  return results.flatMap((result) => {
    if (result.isOvertime) return [];
    if (result.isBroken)
      return [
        { suite: result.suite, failures: [{ name: 'the suite', message: result.note ?? '' }], load: result.load },
      ];
    return result.files
      .filter(({ failed }) => failed > 0)
      .map(({ file, failures, load }) => ({ suite: result.suite, file, failures, load }));
  });
}

/**
 * Runs what failed again, each by itself and up to twice, and counts what passed then as passed.
 * @param {import('./results.mjs').Result[]} results of the first run
 * @param {(repeat: Repeat) => Promise<import('./results.mjs').Result> | undefined} runAlone with nothing beside it,
 * against fresh services;
 *   undefined where no time is left for it
 * @returns {Promise<{ results: import('./results.mjs').Result[], saved: (Repeat & { attempt: number })[], tooMany:
 * number }>} the results as
 *   they count, what passed only when repeated, and the number of failed files where they are too many to be repeated
 */
export async function repeatFailures(results, runAlone) {
  const repeats = toRepeat(results);
  if (repeats.length > MAX_REPEATED_FILES) return { results, saved: [], tooMany: repeats.length };
  const saved = [];
  let counted = results;
  for (const repeat of repeats) {
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      const again = await runAlone(repeat);
      if (again === undefined || again.failed > 0) continue;
      counted = counted.map((result) => (result.suite === repeat.suite ? withRepeat(result, repeat, again) : result));
      saved.push({ ...repeat, attempt });
      break;
    }
  }
  return { results: counted, saved, tooMany: 0 };
}

/** A suite's result in which a repeat's counts stand in the place of the first ones. */
function withRepeat(result, { file }, again) {
  const seconds = result.seconds + again.seconds;
  if (file === undefined) return { ...again, suite: result.suite, seconds };
  const first = result.files.find((one) => one.file === file);
  const change = (key) => result[key] - first[key] + again[key];
  return {
    ...result,
    seconds,
    passed: change('passed'),
    failed: change('failed'),
    skipped: change('skipped'),
    files: [...result.files.filter((one) => one !== first), ...again.files],
  };
}

/** What passed only when repeated, with its first failure; empty where nothing did. */
export function savedText(saved) {
  if (saved.length === 0) return '';
  const entries = saved.map(({ suite, file, failures, load, attempt }) => {
    const first = failures[0] ?? { name: 'unknown', message: '' };
    const more = failures.length > 1 ? ` and ${failures.length - 1} more` : '';
    const at = load === undefined ? '' : `, load ${load.toFixed(1)} when it failed`;
    const name = file ? `${shortPath(file)} › ${first.name}${more}` : first.name;
    return `  ${suite}: ${name} (repeat ${attempt}${at})\n${beginning(first.message)}`;
  });
  return `passed only when repeated: ${saved.length}\n${entries.join('\n')}\n`;
}
