import { appendFileSync } from 'node:fs';
import { loadavg } from 'node:os';

/**
 * Writes a line of JSON for each spec file that begins or ends, into the file named by TEST_REPORT. Results of finished
 * files survive when Jest itself is killed; Jest's own `--json` would lose them.
 */
export default class ResultsReporter {
  onTestFileStart({ path }) {
    write({ type: 'start', file: path });
  }

  onTestFileResult({ path }, result) {
    const failed = result.testResults.filter(({ status }) => status === 'failed');
    const failures = failed.map((test) => ({ name: test.fullName, message: test.failureMessages[0] ?? '' }));
    if (failures.length === 0 && result.testExecError)
      failures.push({ name: 'did not run', message: result.failureMessage ?? '' });
    write({
      type: 'file',
      file: path,
      passed: result.numPassingTests,
      failed: failures.length,
      skipped: result.numPendingTests + (result.numTodoTests ?? 0),
      failures,
      load: loadavg()[0],
    });
  }

  onRunComplete() {
    write({ type: 'end' });
  }
}

function write(record) {
  appendFileSync(process.env.TEST_REPORT, `${JSON.stringify(record)}\n`);
}
