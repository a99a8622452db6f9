import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { checkNode, installedByHand, installStamp } from '../lib/install.mjs';

const root = mkdtempSync(join(tmpdir(), 'staffcast-install-'));
after(() => rmSync(root, { recursive: true }));

const write = (path, content) => {
  mkdirSync(join(root, path, '..'), { recursive: true });
  writeFileSync(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
};

test('a Node that is too old is refused with a sentence, a newer one is not', () => {
  assert.throws(() => checkNode('18.20.1'), /needs Node 20 or newer to begin \(this is 18\.20\.1\)/);
  checkNode('20.0.0');
  checkNode('26.1.0');
});

test('the stamp changes with any manifest and names the platform', () => {
  write('package.json', { name: 'a' });
  write('package-lock.json', { packages: {} });
  const before = installStamp(root);
  assert.ok(before.startsWith(`${process.platform}-${process.arch} `));
  assert.equal(installStamp(root), before);
  write('backend/package.json', { name: 'b' });
  assert.notEqual(installStamp(root), before);
});

test('an install made by hand counts only while every locked package is there in its version', () => {
  const locked = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/native': { version: '2.0.0', optional: true } };
  write('package-lock.json', { packages: locked });
  assert.equal(installedByHand(root), false);
  write('node_modules/a/package.json', {});
  write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
  assert.equal(installedByHand(root), true);
  write('package-lock.json', { packages: { ...locked, 'node_modules/a': { version: '1.0.1' } } });
  assert.equal(installedByHand(root), false);
});
