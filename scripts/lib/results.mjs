/** @typedef {{ suite: string, passed: number, failed: number, skipped: number, seconds: number, note?: string, failures?: string[] }} Result */

/** Reads jest's --json file; a spec file that could not run counts as a failed test. */
export function fromJest(json) {
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.numRuntimeErrorTestSuites,
    skipped: json.numPendingTests + (json.numTodoTests ?? 0),
    failures: failuresOf(json),
  };
}

/**
 * Names of the failed tests in jest's --json file, each with the beginning of its message: repeated at the end of the run, since a log
 * that is kept in part keeps its end.
 */
export function failuresOf(json) {
  return json.testResults.flatMap((file) => {
    const failed = file.assertionResults.filter((test) => test.status === 'failed');
    const tests = failed.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
    if (tests.length === 0 && file.status === 'failed') tests.push({ name: 'did not run', message: file.message });
    return tests.map(
      ({ name, message }) => `${file.name.split('/').slice(-3).join('/')} › ${name}\n${beginning(message)}`,
    );
  });
}

const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g');
const MESSAGE_LINES = 14;

function beginning(message) {
  const lines = message.replace(COLOURS, '').split('\n').slice(0, MESSAGE_LINES);
  return lines.map((line) => `    ${line}`.trimEnd()).join('\n');
}

/**
 * Counts one failure for a runner that exited with an error without naming a failed test, left no results or found no test. Its note says
 * how the runner ended.
 */
export function withExit(counts, { code, signal }) {
  const ending = signal ? `the runner was ended by ${signal}` : `the runner ended with code ${code}`;
  if (!counts) return { passed: 0, failed: 1, skipped: 0, note: `no results: ${ending}` };
  if (code === 0 && counts.passed + counts.failed + counts.skipped === 0)
    return { ...counts, failed: 1, note: 'no tests were found' };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1, note: ending } : counts;
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

/** What failed, by suite; empty where nothing did. */
export function failures(results) {
  return results.flatMap((r) => (r.failures ?? []).map((failure) => `FAILED in ${r.suite}: ${failure}\n`)).join('\n');
}

/** Closing line over all suites. */
export function closingLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
