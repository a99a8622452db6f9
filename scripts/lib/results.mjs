/**
 * Result of one test file; `load` is the load of the machine when the file ended.
 * @typedef {{ file: string, passed: number, failed: number, skipped: number, failures: { name: string, message: string
 * }[], load: number }} FileResult
 */

/**
 * Result of one suite. `files` are the files that ended. `isBroken` means that its process ended badly without a failed
 * test, `isOvertime` that it was stopped at its limit.
 * @typedef {{ suite: string, passed: number, failed: number, skipped: number, seconds: number, note?: string, files:
 * FileResult[], isBroken?: boolean, isOvertime?: boolean }} Result
 */

/**
 * Reads the lines that a reporter wrote.
 * @param {string | undefined} text
 * @returns {{ files: FileResult[], running: string[], hasEnded: boolean }} `running` are files that began but did not
 * end
 */
export function readReport(text) {
  const records = (text ?? '').split('\n').flatMap(parsed);
  const files = records.filter(({ type }) => type === 'file');
  const ended = new Set(files.map(({ file }) => file));
  const started = records.filter(({ type }) => type === 'start').map(({ file }) => file);
  return {
    files,
    running: started.filter((file) => !ended.has(file)),
    hasEnded: records.some(({ type }) => type === 'end'),
  };
}

/** The last line may be incomplete if the runner was killed. */
function parsed(line) {
  try {
    return line ? [JSON.parse(line)] : [];
  } catch {
    return [];
  }
}

/**
 * Counts of a suite, from what its reporter wrote and from how its process ended. One failure is added if the process
 * ended with an error but without a failed test, left no complete report, or found no tests.
 * @returns {Omit<Result, 'suite' | 'seconds'>}
 */
export function fromReport({ files, running, hasEnded }, { code, signal, overtime }) {
  const sum = (key) => files.reduce((total, file) => total + file[key], 0);
  const counts = { passed: sum('passed'), failed: sum('failed'), skipped: sum('skipped'), files };
  const during = running.length > 0 ? ` during ${running.map(shortPath).join(', ')}` : '';
  const broken = (note, more = {}) => ({ ...counts, failed: counts.failed + 1, note, isBroken: true, ...more });
  if (overtime) return broken(`stopped at its limit${during}`, { isOvertime: true });
  const ending = signal ? `the runner was ended by ${signal}` : `the runner ended with code ${code}`;
  if (!hasEnded) return broken(`no complete results: ${ending}${during}`);
  if (code === 0 && counts.passed + counts.failed + counts.skipped === 0) return broken('no tests were found');
  return code !== 0 && counts.failed === 0 ? broken(ending) : counts;
}

/** Counts of a suite that is one script. It counts as one test, whose result is the exit code. */
export function fromScript({ code, overtime }) {
  if (overtime) return { passed: 0, failed: 1, skipped: 0, files: [], note: 'stopped at its limit', isOvertime: true };
  if (code === 0) return { passed: 1, failed: 0, skipped: 0, files: [] };
  return { passed: 0, failed: 1, skipped: 0, files: [], note: `ended with code ${code}`, isBroken: true };
}

/** The last two folders of a path and the name of the file, which are enough to find it. */
export const shortPath = (file) => file.split('/').slice(-3).join('/');

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
const MAX_MESSAGE_LINES = 14;

/** The beginning of a failure's message, indented and without colours. */
export function beginning(message) {
  const lines = message.replace(COLOURS, '').split('\n').slice(0, MAX_MESSAGE_LINES);
  return lines.map((line) => `    ${line}`.trimEnd()).join('\n');
}

/** Table of results per suite. */
export function table(results) {
  const rows = [
    ['suite', 'passed', 'failed', 'skipped', 'seconds', ''],
    ...results.map((r) => [r.suite, r.passed, r.failed, r.skipped, r.seconds.toFixed(0), r.note ?? '']),
  ].map((row) => row.map(String));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows
    .map((row) =>
      row
        .map((cell, i) => (i === 0 || i === 5 ? cell.padEnd(widths[i]) : cell.padStart(widths[i])))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/**
 * The failures by suite; empty if there are none. They are printed at the end of the run, because logs that are cut
 * keep their end.
 */
export function failures(results) {
  return results
    .flatMap((result) => [
      ...(result.isBroken || result.isOvertime ? [`FAILED: ${result.suite}: ${result.note}\n`] : []),
      ...result.files.flatMap((file) =>
        file.failures.map(
          ({ name, message }) =>
            `FAILED in ${result.suite}: ${shortPath(file.file)} › ${name}\n${beginning(message)}\n`,
        ),
      ),
    ])
    .join('\n');
}

/** Closing line over all suites. */
export function closingLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
