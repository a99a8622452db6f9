import { readdirSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const STEPS = 10;
const THREADS = '/proc/self/task';

/** Work that nobody waits for at a screen leaves the processor to what somebody waits for (containers: cpu_shares say the same). */
export function giveWay(): void {
  try {
    const priority = Math.min(19, getPriority() + STEPS);
    // On Linux each thread has its own, and those of the pool that signs are there already.
    for (const thread of threads()) setPriority(thread, priority);
  } catch {
    // A system that does not let us: then as before.
  }
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [0];
  }
}
