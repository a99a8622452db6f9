import { readText } from './files.mjs';
import { identityOf, stillRuns } from './identity.mjs';

const SHELLS = ['sh', 'dash', 'bash', 'zsh', 'ash', 'busybox'];

const launchers = process.env.npm_lifecycle_event
  ? npmAbove(process.ppid).map((pid) => ({ pid, identity: identityOf(pid) }))
  : [];

/**
 * Calls `callback` once npm, which started this process, was killed without passing on a signal.
 * @returns a function that ends the watch
 */
export function onLauncherGone(callback) {
  const timer = setInterval(() => {
    if (launchers.every(stillRuns)) return;
    clearInterval(timer);
    callback();
  }, 500);
  timer.unref();
  return () => clearInterval(timer);
}

/** npm runs a script through a shell, which survives when npm is killed. Both are watched. */
function npmAbove(parent) {
  const stat = readText(`/proc/${parent}/stat`);
  if (!stat) return [parent];
  const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  const above = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  return SHELLS.includes(name) && above > 1 ? [parent, above] : [parent];
}
