/** Signals a process group; ignores one that no longer exists. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // gone
  }
}

/** Whether any process of the group runs. */
export function isGroupAlive(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/**
 * Resolves when this process should stop: on a signal, or when the launcher that started it is gone. Later signals have
 * no effect, so that a second Ctrl-C does not interrupt the shutdown.
 */
export function stopRequested(): Promise<undefined> {
  // A closed output pipe must not end this process before its children are stopped.
  process.stdout.on('error', () => {});
  process.stderr.on('error', () => {});
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => resolve(undefined));
    if (process.channel) {
      process.on('disconnect', () => resolve(undefined));
      process.channel.unref();
    }
  });
}
