import { loadavg } from 'node:os';

/**
 * A reporter for `node --test`. Writes the same as `scripts/jest/results-reporter.mjs` does for Jest: a line of JSON
 * for each test file.
 */
export default async function* nodeReporter(source) {
  const failures = new Map();
  const done = new Set();
  const record = (file, counts = {}) => {
    done.add(file);
    const found = failures.get(file) ?? [];
    const { passed = 0, skipped = 0, todo = 0, failed = 0, cancelled = 0 } = counts;
    // The counts of a file whose process crashed contain no failed test, so one is added.
    const failedTests = Math.max(failed + cancelled, found.length > 0 ? 1 : 0);
    const line = { type: 'file', file, passed, failed: failedTests, skipped: skipped + todo, failures: found };
    return `${JSON.stringify({ ...line, load: loadavg()[0] })}\n`;
  };
  for await (const { type, data } of source) {
    if (type === 'test:fail' && !isTodo(data)) addFailure(failures, data);
    if (type !== 'test:summary') continue;
    if (data.file !== undefined) {
      yield record(data.file, data.counts);
      continue;
    }
    for (const file of failures.keys()) if (!done.has(file)) yield record(file);
    yield `${JSON.stringify({ type: 'end' })}\n`;
  }
}

const isTodo = ({ todo, skip }) => (todo !== undefined && todo !== false) || (skip !== undefined && skip !== false);

/**
 * Records a failure. A suite that failed only because of its tests is skipped, since those tests are recorded
 * themselves.
 */
function addFailure(failures, { file = 'unknown file', name, details }) {
  const error = details?.error;
  if (error?.failureType === 'subtestsFailed') return;
  const message = String(error?.cause?.stack ?? error?.cause ?? error?.message ?? '');
  failures.set(file, [...(failures.get(file) ?? []), { name, message }]);
}
