import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

const STEPS = 10;
const THREADS = '/proc/self/task';
const SESSION_GROUP = '/proc/self/autogroup';

/** Lowers the worker's CPU priority below that of the web process. In containers, cpu_shares has the same effect. */
export function lowerPriority(): void {
  try {
    const priority = Math.min(19, getPriority() + STEPS);
    // Linux sets priorities per thread, and the thread pool, which signs mail, has already started.
    for (const thread of threads()) setPriority(thread, priority);
    if (leadsSession()) writeFileSync(SESSION_GROUP, String(priority));
  } catch {
    // The system does not permit it: the priority stays as it is.
  }
}

/**
 * Whether this process leads a session of its own. With autogroup, Linux shares the CPU between sessions first and
 * looks at process priorities only within a session. Worker and web process may have separate sessions, so the
 * session's priority must be lowered, too.
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
