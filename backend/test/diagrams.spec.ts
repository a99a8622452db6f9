import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';

it('the module map and the schema picture match the sources (`npm run diagrams` redraws them)', async () => {
  const script = join(import.meta.dirname, '../../scripts/diagrams.mjs');
  const { stdout } = await promisify(execFile)(process.execPath, [script, '--check']);
  expect(stdout).toContain('up to date');
});
