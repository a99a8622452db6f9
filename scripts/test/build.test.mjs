import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { forgetBuild, isStale, sourceHash } from '../lib/build.mjs';

const root = mkdtempSync(join(tmpdir(), 'staffcast-build-'));
const state = join(root, 'state');
after(() => rmSync(root, { recursive: true }));

const write = (path, text) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), text);
};
const stamped = () => write('state/build-backend', sourceHash('backend', root));

test('a half is stale unless it was built from exactly these sources', () => {
  write('backend/src/main.ts', 'one');
  stamped();
  assert.equal(isStale('backend', root, state), true, 'there is no output yet');
  write('backend/dist/src/main.js', 'one');
  assert.equal(isStale('backend', root, state), false);
  write('backend/migrations/0001.ts', 'new');
  assert.equal(isStale('backend', root, state), true, 'a migration is a source too');
  stamped();
  write('backend/.swcrc', '{}');
  assert.equal(isStale('backend', root, state), true, 'so is the configuration');
});

test("files written by the build do not make it stale, and a build's stamp can be discarded", () => {
  stamped();
  write('backend/src/metadata.ts', 'generated');
  write('backend/dist/other.js', 'output');
  assert.equal(isStale('backend', root, state), false);
  forgetBuild('backend', state);
  assert.equal(isStale('backend', root, state), true);
});
