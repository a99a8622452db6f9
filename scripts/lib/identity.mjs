import { readText } from './files.mjs';

/**
 * Distinguishes a process from a later one with the same pid; on Linux by its start time and the boot id.
 * @param {number} pid
 * @returns {string | undefined} undefined if no such process runs
 */
export function identityOf(pid) {
  if (!isAlive(pid)) return undefined;
  const stat = readText(`/proc/${pid}/stat`);
  if (stat === undefined) return 'unknown';
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z') return undefined;
  const boot = (readText('/proc/sys/kernel/random/boot_id') ?? '').trim();
  return `${boot}/${fields[19]}`;
}

/**
 * Whether the recorded process still runs. False for a process that had already ended when it was recorded.
 * @param {{ pid: number, identity?: string | undefined } | undefined} record
 */
export function stillRuns(record) {
  return record?.identity !== undefined && identityOf(record.pid) === record.identity;
}

/** @param {number} pid */
function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'EPERM';
  }
}
