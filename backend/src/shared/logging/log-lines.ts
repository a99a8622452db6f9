import pino from 'pino';

/** Lines kept for later while they cannot be written. */
const KEPT_BYTES = 256 * 1024;

/** Standard output as the log's end. Where it cannot be written (a full disk behind it) lines are lost; the process goes on. */
export function logLines(): pino.DestinationStream {
  const lines = pino.destination({ fd: 1, sync: true, maxLength: KEPT_BYTES });
  lines.on('error', () => undefined);
  // A line too many: what waits may go now.
  lines.on('drop', () => {
    try {
      lines.flushSync();
    } catch {
      // still no room
    }
  });
  return lines;
}
