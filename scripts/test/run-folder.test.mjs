import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openRunFolder, processesOf } from '../lib/run-folder.mjs';

const IDLE = 'setInterval(() => {}, 1_000)';
const onLinux = { skip: process.platform !== 'linux' && 'needs /proc' };

function parentOf(t) {
  const parent = mkdtempSync(join(tmpdir(), 'staffcast-parent-'));
  t.after(() => rmSync(parent, { recursive: true, force: true }));
  return parent;
}

/** Starts a process in its own session, like one that a killed test leaves behind. */
async function leave(t, env, args = []) {
  const child = spawn(process.execPath, ['-e', IDLE, ...args], { env, detached: true, stdio: 'ignore' });
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'spawn');
  return { pid: child.pid, ended: once(child, 'exit') };
}

test('a run leaves neither its files nor its processes, and names the processes', onLinux, async (t) => {
  const run = await openRunFolder(parentOf(t));
  writeFileSync(join(run.path, 'forgotten'), '');
  const byEnvironment = await leave(t, { TMPDIR: run.path });
  const byCommand = await leave(t, {}, [join(run.path, 'profile')]);
  const left = await run.close();
  assert.deepEqual(new Set(left.map(({ pid }) => pid)), new Set([byEnvironment.pid, byCommand.pid]));
  await Promise.all([byEnvironment.ended, byCommand.ended]);
  assert.ok(!existsSync(run.path));
});

test('a process that ends by itself is not named', onLinux, async (t) => {
  const run = await openRunFolder(parentOf(t));
  const { pid, ended } = await leave(t, { TMPDIR: run.path });
  const closed = run.close();
  process.kill(pid);
  await ended;
  assert.deepEqual(await closed, []);
});

test('a run removes what a killed one left, and leaves what a running one has', onLinux, async (t) => {
  const parent = parentOf(t);
  const killed = join(parent, 'staffcast-run-killed');
  mkdirSync(killed);
  writeFileSync(join(killed, 'owner.json'), JSON.stringify({ pid: 1, identity: 'of an earlier boot' }));
  const { ended } = await leave(t, { TMPDIR: killed });
  const beginning = join(parent, 'staffcast-run-beginning');
  mkdirSync(beginning);
  const running = await openRunFolder(parent);
  await ended;
  const another = await openRunFolder(parent);
  assert.deepEqual(
    new Set(readdirSync(parent).map((name) => join(parent, name))),
    new Set([beginning, running.path, another.path]),
  );
});

test('processes of a folder that nobody names: none', () => {
  assert.deepEqual(processesOf('/nowhere/staffcast-run-none'), []);
});
