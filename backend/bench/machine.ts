import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';

export const DKIM_PEM = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
}) as string;

/** User and system time, in seconds, of a process and its running children. */
export function processorTimeOf(parent: number): number {
  let ticks = 0;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8')
        .replace(/^.*\) /, '')
        .split(' ');
      if (Number(name) === parent || Number(fields[1]) === parent)
        ticks +=
          Number(fields[11]) +
          Number(fields[12]) +
          (Number(name) === parent ? Number(fields[13]) + Number(fields[14]) : 0);
    } catch {
      // The process has ended meanwhile.
    }
  }
  return ticks / 100;
}

/** Database role of the worker, so that its statements are counted separately. */
export const WORKER = 'bench_worker';
