/**
 * Resolves when we are asked to end: by a signal, or because the first stage that started us is gone.
 * Further signals change nothing, so that an impatient second Ctrl-C does not cut the orderly stop short.
 */
export function onEnd(): Promise<undefined> {
  // A reader of our output that went away is no reason to leave children behind.
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
