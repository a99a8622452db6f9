import pino from 'pino';
import type { LoggerService } from '@nestjs/common';

/** Size of the buffer for lines while standard output cannot be written, in bytes. */
const MAX_BUFFERED_BYTES = 256 * 1024;

/**
 * Log destination on standard output. If lines cannot be written (disk full), drops them, and the process continues.
 */
export function logLines(): pino.DestinationStream {
  const lines = pino.destination({ fd: 1, sync: true, maxLength: MAX_BUFFERED_BYTES });
  lines.on('error', () => undefined);
  // The buffer is full, so try to write it.
  lines.on('drop', () => {
    try {
      lines.flushSync();
    } catch {
      // Standard output still cannot be written.
    }
  });
  return lines;
}

const MODULE_LINE_CONTEXTS = new Set(['InstanceLoader', 'RoutesResolver', 'RouterExplorer', 'NestFactory']);

/** Wraps a logger so that it omits the framework's list of modules and routes at start. */
export function withoutModuleLines(logger: LoggerService): LoggerService {
  const log = (message: unknown, ...rest: unknown[]): void => {
    if (!MODULE_LINE_CONTEXTS.has(String(rest.at(-1)))) logger.log(message, ...rest);
  };
  return new Proxy(logger, { get: (target, name) => (name === 'log' ? log : Reflect.get(target, name).bind(target)) });
}
