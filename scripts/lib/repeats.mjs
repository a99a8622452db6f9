import { beginning, shortPath } from './results.mjs';

/**
 * Failed files are repeated only up to this number. If more fail, the machine is overloaded or the product has a race.
 */
export const MAX_REPEATED_FILES = 10;
const MAX_ATTEMPTS = 2;

/**
 * A failed test file, or, without `file`, a suite whose process ended badly.
 * @typedef {{ suite: string, file?: string, failures: { name: string, message: string }[], load?: number }} Repeat
 */

/**
 * What has to run again. A suite that was stopped at its limit is not repeated, because it would take the whole limit
 * again.
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
 * Runs each failure again by itself, up to twice, and counts it as passed if it then passes.
 * @param {import('./results.mjs').Result[]} results of the first run
 * @param {(repeat: Repeat) => Promise<import('./results.mjs').Result> | undefined} runAlone runs it with nothing else
 * in parallel, against fresh services; returns undefined if no time is left
 * @returns {Promise<{ results: import('./results.mjs').Result[], saved: (Repeat & { attempt: number })[], tooMany:
 * number }>} the final results, what passed only when repeated, and the number of failed files if they are too many to
 * be repeated
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

/** A suite's result with the counts of a repeat instead of the first ones. */
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

/** What passed only when repeated, with its first failure; empty if there is nothing. */
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
