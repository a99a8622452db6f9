import { describe, expect, it } from '@jest/globals';
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const MODULE = fileURLToPath(new URL('./lower-priority.ts', import.meta.url));
const REPORT = `
  const { lowerPriority } = await import(${JSON.stringify(MODULE)});
  const { getPriority } = await import('node:os');
  const { readFileSync } = await import('node:fs');
  const before = getPriority();
  lowerPriority();
  const group = readFileSync('/proc/self/autogroup', 'utf8');
  console.log(JSON.stringify({ before, after: getPriority(), group: Number(group.split(' ').at(-1)) }));
`;
const run = (detached: boolean) =>
  new Promise<{ before: number; after: number; group: number }>((resolve, reject) => {
    const child = spawn(process.execPath, ['--input-type=module', '-e', REPORT], {
      detached,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
    child.on('error', reject).on('close', () => resolve(JSON.parse(output)));
  });
/** Kernels without autogroup do not have this file, so there is no session priority to test. */
const itWithAutogroup = existsSync('/proc/self/autogroup') ? it : it.skip;

describe('lowerPriority', () => {
  itWithAutogroup(
    'lowers the session too when the process has one of its own, and leaves a shared session as it is',
    async () => {
      const own = await run(true);
      expect(own.after).toBeGreaterThan(own.before);
      expect(own.group).toBe(own.after);
      expect((await run(false)).group).not.toBe(own.after);
    },
  );
});
