// Process of the reaper: stops the supervisor's children when the pipe to the supervisor closes.
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { signalGroup, isGroupAlive } from './signals.ts';

const GRACE_MS = 6_000;
const watched = new Map<number, NodeJS.Signals>();

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const lines = createInterface({ input: process.stdin });
lines.on('line', (line) => {
  const [verb, pid, signal] = line.split(' ');
  if (verb === 'watch') watched.set(Number(pid), signal as NodeJS.Signals);
  if (verb === 'forget') watched.delete(Number(pid));
});
lines.on('close', () => void stopAll());

async function stopAll(): Promise<void> {
  for (const [pid, signal] of watched) signalGroup(pid, signal);
  const deadline = Date.now() + GRACE_MS;
  while ([...watched.keys()].some(isGroupAlive) && Date.now() < deadline) await sleep(50);
  for (const pid of watched.keys()) signalGroup(pid, 'SIGKILL');
  process.exit(0);
}
