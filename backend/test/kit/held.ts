/**
 * How long the event loop was held at most meanwhile, in ms of this thread's processor time: what a busy machine takes from it is no
 * holding.
 */
export async function heldDuring(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = cpuMs();
  const look = () => {
    const now = cpuMs();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 5);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
