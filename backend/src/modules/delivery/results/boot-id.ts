import { readFileSync } from 'node:fs';

/**
 * Identifies the time since the machine was started; containers share it with their host. Empty if the system does not
 * tell, as outside Linux; start logs then say nothing.
 */
export const BOOT_ID = read();

function read(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '';
  }
}
