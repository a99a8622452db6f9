import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const STEPS = 10;
const THREADS = '/proc/self/task';
const SESSION_GROUP = '/proc/self/autogroup';

/** Lowers the worker's CPU priority below the web process (cpu_shares do the same for containers). */
export function lowerPriority(): void {
  try {
    const priority = Math.min(19, getPriority() + STEPS);
    // Linux priorities are per thread, and the thread pool that signs mail already exists.
    for (const thread of threads()) setPriority(thread, priority);
    if (leadsSession()) writeFileSync(SESSION_GROUP, String(priority));
  } catch {
    // Not permitted by the system: keep the normal priority.
  }
}

/**
 * True when this process has a session of its own. Linux may share the processor between sessions before it looks at
 * the priorities within one (autogroup): the session's priority is then what counts against the web process, which has
 * another session.
 */
function leadsSession(): boolean {
  try {
    const [, , , session] = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    return Number(session) === process.pid;
  } catch {
    return false;
  }
}

function threads(): number[] {
  try {
    return readdirSync(THREADS).map(Number);
  } catch {
    return [0];
  }
}
