import { statfsSync } from 'node:fs';
import { availableParallelism, freemem, loadavg, tmpdir } from 'node:os';

const GIB = 2 ** 30;

/** One line about the machine's current state: processors, load over one minute, free memory and disk. */
export function machineLine() {
  const disk = statfsSync(tmpdir());
  const gib = (bytes) => `${(bytes / GIB).toFixed(1)} GiB`;
  return (
    `${availableParallelism()} processors, load ${loadavg()[0].toFixed(1)}, ` +
    `${gib(freemem())} of memory and ${gib(disk.bavail * disk.bsize)} of disk free, Node ${process.versions.node}`
  );
}
