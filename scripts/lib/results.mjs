/** @typedef {{ suite: string, passed: number, failed: number, skipped: number, seconds: number, note?: string }} Result */

/** Reads jest's --json file; a spec file that could not run at all counts as a failed test. */
export function fromJest(json) {
  return {
    passed: json.numPassedTests,
    failed: json.numFailedTests + json.numRuntimeErrorTestSuites,
    skipped: json.numPendingTests + (json.numTodoTests ?? 0),
  };
}

/**
 * A runner that ended badly without naming a failed test, that left no results, or that found no test at all, is one
 * failure, whose note says how it ended.
 */
export function withExit(counts, { code, signal }) {
  const ending = signal ? `the runner was ended by ${signal}` : `the runner ended with code ${code}`;
  if (!counts) return { passed: 0, failed: 1, skipped: 0, note: `no results: ${ending}` };
  if (code === 0 && counts.passed + counts.failed + counts.skipped === 0) return { ...counts, failed: 1, note: 'no tests were found' };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1, note: ending } : counts;
}

/** The table per suite. */
export function table(results) {
  const rows = [['suite', 'passed', 'failed', 'skipped', 'seconds', ''],
    ...results.map((r) => [r.suite, r.passed, r.failed, r.skipped, r.seconds.toFixed(0), r.note ?? ''])].map((row) => row.map(String));
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  return rows.map((row) => row.map((cell, i) => (i === 0 || i === 5 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ').trimEnd()).join('\n');
}

/** The closing line over all suites. */
export function closingLine(results) {
  const sum = (key) => results.reduce((total, result) => total + result[key], 0);
  const skipped = sum('skipped');
  return `${sum('passed')} passed, ${sum('failed')} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
