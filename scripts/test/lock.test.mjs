import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { identityOf, stillRuns } from '../lib/identity.mjs';
import { tryLock } from '../lib/lock.mjs';

const root = mkdtempSync(join(tmpdir(), 'staffcast-lock-'));
after(() => rmSync(root, { recursive: true }));

test('a lock has one holder at a time and is free after its release', () => {
  const path = join(root, 'a', 'lock');
  const first = tryLock(path);
  assert.equal(first.held, true);
  assert.deepEqual(tryLock(path), { held: false, pid: process.pid });
  first.release();
  assert.equal(existsSync(path), false);
  assert.equal(tryLock(path).held, true);
});

test('a lock of a dead process, of a reused pid, or an unreadable lock is taken over', () => {
  for (const content of [
    '{"pid":999999999,"identity":"x"}',
    `{"pid":${process.pid},"identity":"an earlier boot"}`,
    'half a fi',
  ]) {
    const path = join(root, 'stale');
    writeFileSync(path, content);
    const lock = tryLock(path);
    assert.equal(lock.held, true, content);
    lock.release();
  }
});

test("a killed holder's lock stays held while the child that shares it runs", () => {
  const path = join(root, 'shared');
  const lock = tryLock(path);
  lock.share(process.pid);
  writeFileSync(path, readFileSync(path, 'utf8').replace(`"pid":${process.pid}`, '"pid":999999999'));
  assert.equal(tryLock(path).held, false);
  rmSync(path);
});

test('exactly one of many processes takes a stale lock', async () => {
  const path = join(root, 'contended');
  writeFileSync(path, '{"pid":999999999,"identity":"x"}');
  const script = `import { tryLock } from ${JSON.stringify(new URL('../lib/lock.mjs', import.meta.url).href)};
    process.stdout.write(String(tryLock(${JSON.stringify(path)}).held)); process.stdin.resume();`;
  let unanswered = 6;
  const children = [];
  const answers = await Promise.all(
    Array.from(
      { length: 6 },
      () =>
        new Promise((resolve) => {
          let text = '';
          const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
            stdio: ['pipe', 'pipe', 'inherit'],
          });
          children.push(child);
          child.stdout.on('data', (chunk) => {
            text += chunk;
          });
          // Every holder lives until all have tried to take the lock. Otherwise a late one would find it free.
          child.stdout.once('data', () => {
            if (--unanswered === 0) for (const each of children) each.stdin.end();
          });
          child.on('close', () => resolve(text));
        }),
    ),
  );
  assert.equal(answers.filter((answer) => answer === 'true').length, 1, answers.join());
});

test('a process is distinguished from a later one with the same pid', () => {
  const mine = identityOf(process.pid);
  assert.equal(stillRuns({ pid: process.pid, identity: mine }), true);
  assert.equal(stillRuns({ pid: process.pid, identity: `${mine}0` }), false);
  assert.equal(identityOf(999999999), undefined);
  assert.equal(stillRuns({ pid: 999999999, identity: undefined }), false);
});
