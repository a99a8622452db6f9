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

test('a too old Node is refused with a message, a newer one is accepted', () => {
  assert.throws(() => checkNode('18.20.1'), /needs Node 20 or newer to begin \(this is 18\.20\.1\)/);
  checkNode('20.0.0');
  checkNode('26.1.0');
});

test('the stamp depends on dependencies and platform, not on scripts', () => {
  write('package.json', { name: 'a', dependencies: { a: '1.0.0' } });
  write('package-lock.json', { packages: {} });
  const before = installStamp(root);
  assert.ok(before.startsWith(`${process.platform}-${process.arch} `));
  write('package.json', { name: 'a', scripts: { x: 'y' }, dependencies: { a: '1.0.0' } });
  assert.equal(installStamp(root), before);
  write('backend/package.json', { devDependencies: { b: '1.0.0' } });
  assert.notEqual(installStamp(root), before);
  rmSync(join(root, 'backend'), { recursive: true });
  write('package-lock.json', { packages: { '': {} } });
  assert.notEqual(installStamp(root), before);
});

test('a manual install is accepted only with every direct dependency and without any other version', () => {
  const locked = { '': {}, 'node_modules/a': { version: '1.0.0' }, 'node_modules/left-out': { version: '2.0.0' } };
  write('package-lock.json', { packages: locked });
  assert.equal(installedByHand(root), false);
  write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
  assert.equal(installedByHand(root), false, 'recorded, but not there');
  write('node_modules/a/package.json', {});
  assert.equal(installedByHand(root), true);
  write('package.json', { dependencies: { a: '1.0.0', more: '1.0.0' } });
  assert.equal(installedByHand(root), false, 'a direct dependency is missing');
  write('package.json', { dependencies: { a: '1.0.1' } });
  write('package-lock.json', { packages: { ...locked, 'node_modules/a': { version: '1.0.1' } } });
  assert.equal(installedByHand(root), false, 'another version');
});
